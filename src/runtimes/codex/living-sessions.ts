import { statSync } from 'node:fs';
import { basename, sep } from 'node:path';
import type { LivingSession } from '../../domain/status/living-session.js';
import { signsOf } from '../../domain/status/observed-status.js';
import { openFilesOf } from '../../process/families/open-files.js';
import type { ProcessRow } from '../../process/families/process-source.js';
import { findProcess } from '../../process/families/process-table.js';
import { readFileEnd } from '../../process/files/bounded-file.js';
import { given } from '../../protocol/given.js';
import type { LivingSessions, SessionSight } from '../runtime-observer.js';
import { rolloutFolder } from './rollout-file.js';
import { rolloutStatus } from './rollout-status.js';
import { rolloutBeginning } from './terminal.js';

// A turn whose beginning lies further back is known by what it does now.
const lookedAtBytes = 512 * 1024;
const mostSessions = 100;
// A search looks at every process of the machine: 1.5 ms for 70 of them.
const searchMs = 2000;

interface Seen {
  readonly size: number;
  readonly process: Pick<LivingSession, 'pid' | 'startTime'>;
  readonly session: Omit<LivingSession, 'pid' | 'startTime' | 'isAlive'>;
}

/** The sessions that people have open in Codex now: a rollout that a Codex holds open is alive. */
export class CodexLivingSessions implements LivingSessions {
  readonly #seen = new Map<string, Seen>();
  readonly #open = new Map<string, ProcessRow>();
  #searchedAt = Number.NEGATIVE_INFINITY;

  look({ env, now }: SessionSight): LivingSession[] {
    const folder = `${rolloutFolder(env)}${sep}`;
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
    const open = this.#openRollouts(folder, now);
    const living = [...open].slice(0, mostSessions).flatMap(([file, { pid, identity }]) => {
      const seen = this.#read(file, { pid, startTime: identity.startTime }, now);
      return seen ? [{ ...seen.session, ...seen.process, isAlive: true }] : [];
    });
    const killed = [...this.#seen].flatMap(([file, { process }]) => {
      if (open.has(file)) return [];
      const seen = this.#read(file, process, now);
      if (seen && isInTurn(seen)) return [{ ...seen.session, ...process, isAlive: false }];
      this.#seen.delete(file);
      return [];
    });
    return [...living, ...killed];
  }

  /** Which Codex holds which rollout. Between two searches only those that are known are looked at. */
  #openRollouts(folder: string, now: number): ReadonlyMap<string, ProcessRow> {
    if (Math.abs(now - this.#searchedAt) < searchMs)
      return new Map([...this.#open].filter(([, { identity }]) => findProcess(identity) !== null));
    this.#searchedAt = now;
    this.#open.clear();
    for (const { process, files } of openFilesOf('codex'))
      for (const file of files)
        if (file.startsWith(folder) && /^rollout-[\w-]+\.jsonl$/.test(basename(file)))
          this.#open.set(file, process);
    return this.#open;
  }

  #read(file: string, process: Seen['process'], now: number): Seen | null {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const before = this.#seen.get(file);
    if (before?.size === size && before.process.pid === process.pid) return before;
    const start = rolloutBeginning(file);
    const end = readFileEnd(file, lookedAtBytes);
    if (!start || end === undefined) return null;
    const { evidence, asked } = rolloutStatus(end.split('\n'), now);
    const session = { runtime: 'codex', ...start, evidence, ...given({ asked }) } as const;
    const seen = { size, process, session };
    this.#seen.set(file, seen);
    return seen;
  }
}

/** Whoever leaves Codex ends the turn; a rollout that nobody holds in the middle of one was left by a process that was killed. */
function isInTurn({ session }: Seen): boolean {
  return signsOf(session.evidence).turnOpen;
}
