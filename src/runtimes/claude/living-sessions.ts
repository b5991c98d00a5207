import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { LivingSession } from '../../domain/status/living-session.js';
import { readProcess } from '../../process/families/process-table.js';
import { readBoundedFile, readFileEnd } from '../../process/files/bounded-file.js';
import { given } from '../../protocol/given.js';
import type { StatusEvidence, StatusFact } from '../../protocol/status.js';
import type { LivingSessions, SessionSight } from '../runtime-observer.js';
import { type HookNews, readHookNews } from './hook-news.js';
import { openCallWords } from './open-call.js';
import { beginningOf } from './saved-sessions.js';
import { configFolder, sessionFile } from './session-file.js';

const mostStateBytes = 64 * 1024;
const mostSessions = 100;
// The call that is open stands at the end; what is written behind it is small.
const lookedAtBytes = 512 * 1024;

/** What Claude Code writes into `sessions/<pid>.json`. Nowhere documented; it stays after kill -9. */
const State = z.looseObject({
  pid: z.int().positive(),
  sessionId: z.string().regex(/^[\w-]{1,100}$/),
  cwd: z.string().max(4096),
  procStart: z.union([z.string(), z.number()]).transform(String),
  entrypoint: z.string().optional(),
  status: z.string().optional(),
  statusUpdatedAt: z.number().optional(),
});
export type ClaudeState = z.infer<typeof State>;

const said: Readonly<Record<string, StatusFact>> = {
  busy: 'said_busy',
  idle: 'said_idle',
  waiting: 'said_asking',
};

/** The sessions that people have open in Claude Code now, by the files that it writes about itself. */
export class ClaudeLivingSessions implements LivingSessions {
  readonly #titles = new Map<string, string>();

  look({ env, now }: SessionSight): LivingSession[] {
    const config = configFolder(env);
    const folder = join(config, 'sessions');
    const found = stateFiles(folder).flatMap((name) => {
      const state = readState(join(folder, name));
      return state && name === `${state.pid}.json` ? [this.#session(state, { env, config, now })] : [];
    });
    for (const id of this.#titles.keys())
      if (!found.some(({ sessionId }) => sessionId === id)) this.#titles.delete(id);
    return found;
  }

  #session(state: ClaudeState, place: SessionSight & { readonly config: string }): LivingSession {
    const { pid, sessionId, cwd, procStart } = state;
    const news = readHookNews(place.config, pid);
    const own = news?.sessionId === sessionId ? news : null;
    const evidence = claudeEvidence(state, own, place.now);
    const isAsking = evidence.at(-1)?.fact === 'said_asking';
    const asked = isAsking ? (own?.asked ?? openCallIn(place.env, sessionId)) : undefined;
    return {
      runtime: 'claude',
      sessionId,
      pid,
      startTime: procStart,
      isAlive: isSameProcess(pid, procStart),
      workspace: cwd,
      title: this.#title(place.env, sessionId),
      evidence,
      ...given({ asked }),
    };
  }

  #title(env: SessionSight['env'], sessionId: string): string {
    const known = this.#titles.get(sessionId);
    if (known !== undefined) return known;
    const file = sessionFile(env, sessionId);
    const title = file === null ? undefined : beginningOf(file)?.title;
    if (title !== undefined) this.#titles.set(sessionId, title);
    return title ?? '';
  }
}

/** What Claude Code says of itself; where a version does not say it, what our hooks heard. */
export function claudeEvidence(
  { status = '', statusUpdatedAt }: Pick<ClaudeState, 'status' | 'statusUpdatedAt'>,
  news: HookNews | null,
  now: number,
): StatusEvidence[] {
  const isTime = statusUpdatedAt !== undefined && statusUpdatedAt > 0 && statusUpdatedAt < now;
  const at = new Date(isTime ? statusUpdatedAt : now).toISOString();
  const evidence = (fact: StatusFact, where: string): StatusEvidence => {
    return { fact, source: `claude.${where}`, confidence: 'strong', at };
  };
  const own = Object.hasOwn(said, status) ? said[status] : undefined;
  const alive = evidence('sign_of_life', 'session_file');
  if (own) return [alive, evidence(own, 'session_file')];
  return news ? [alive, evidence(news.fact, 'hook')] : [alive];
}

function stateFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d{1,10}\.json$/.test(name))
      .slice(0, mostSessions);
  } catch {
    return [];
  }
}

/** Null where it is no such file, or a program has started the session. */
function readState(file: string): ClaudeState | null {
  const read = readBoundedFile(file, { limit: mostStateBytes, followLink: false });
  if (!read.ok) return null;
  let value: unknown;
  try {
    value = JSON.parse(read.text);
  } catch {
    // It is just being written.
    return null;
  }
  const state = State.safeParse(value).data;
  return state && !state.entrypoint?.startsWith('sdk') ? state : null;
}

/** Linux counts the ticks since boot, and so does Claude Code there; elsewhere the pid alone is looked at. */
function isSameProcess(pid: number, procStart: string): boolean {
  const row = readProcess(pid);
  if (row === null || /^[ZX]/.test(row.state)) return false;
  const { startTime } = row.identity;
  return !/^\d+$/.test(startTime) || startTime === procStart;
}

function openCallIn(env: SessionSight['env'], sessionId: string): string | undefined {
  const file = sessionFile(env, sessionId);
  const end = file === null ? undefined : readFileEnd(file, lookedAtBytes);
  return end === undefined ? undefined : openCallWords(end.split('\n'));
}
