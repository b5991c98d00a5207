import * as z from 'zod';
import { toolWords } from '../../domain/words/tool-words.js';
import type { ModelRetry, StatusFact } from '../../protocol/status.js';
import { OpencodeServer } from './server.js';

const text = z.string();
const Session = z.looseObject({
  id: text.max(200),
  title: text.catch(''),
  directory: text.max(4096).optional().catch(undefined),
  parentID: text.nullish(),
  time: z.looseObject({ updated: z.number() }).optional(),
});
const Statuses = z.record(text, z.looseObject({ type: text, attempt: z.number().optional() }));
const Permission = z.looseObject({
  sessionID: text,
  permission: text,
  patterns: z.array(text).catch([]),
  metadata: z.record(text, z.unknown()).catch({}),
});
const Question = z.looseObject({
  sessionID: text,
  questions: z.array(z.looseObject({ question: text })).catch([]),
});

// Sessions of days ago that nobody has open are of no interest.
const recentMs = 60 * 60_000;
const mostSessions = 20;

/** A session of an OpenCode server, and what it does. */
export interface ServerSession {
  readonly sessionId: string;
  readonly title: string;
  readonly workspace?: string;
  readonly fact: StatusFact;
  readonly asked?: string;
  readonly retry?: ModelRetry;
}

/** An OpenCode server that somebody else has started. Each look reads how everything stands, so that nothing can be missed. */
export class ObservedServer {
  readonly #server: OpencodeServer;

  constructor(url: string, password: string) {
    this.#server = new OpencodeServer(url, password);
  }

  /** Something has happened there; ends when the connection does. */
  events(): AsyncGenerator {
    return this.#server.events();
  }

  async look(now: number): Promise<ServerSession[]> {
    const [sessions, statuses, permissions, questions] = await Promise.all(
      ['/session', '/session/status', '/permission', '/question'].map((path) => this.#server.get(path)),
    );
    return serverSessions({ sessions, statuses, permissions, questions }, now);
  }
}

/** How everything stands, from what the server answers; a sub-agent's question is asked by its session. */
export function serverSessions(
  answers: Readonly<Record<'sessions' | 'statuses' | 'permissions' | 'questions', unknown>>,
  now: number,
): ServerSession[] {
  const sessions = each(Session, answers.sessions);
  const statuses = Statuses.safeParse(answers.statuses).data ?? {};
  const parents = new Map(sessions.map(({ id, parentID }) => [id, parentID ?? undefined]));
  const asked = new Map<string, string>();
  for (const { sessionID, permission, patterns, metadata } of each(Permission, answers.permissions))
    asked.set(
      rootOf(sessionID, parents),
      `${toolWords(permission, { ...metadata, pattern: patterns.join(' ') })}?`,
    );
  for (const { sessionID, questions } of each(Question, answers.questions))
    asked.set(rootOf(sessionID, parents), questions.map(({ question }) => question).join(' '));
  return sessions
    .filter(({ id, parentID, time }) => {
      const isRecent = now - (time?.updated ?? 0) < recentMs;
      return !parentID && (isRecent || asked.has(id) || Object.hasOwn(statuses, id));
    })
    .toSorted((a, b) => (b.time?.updated ?? 0) - (a.time?.updated ?? 0))
    .slice(0, mostSessions)
    .map(({ id, title, directory }) => ({
      sessionId: id,
      title,
      ...(directory !== undefined && { workspace: directory }),
      ...doing(asked.get(id), Object.hasOwn(statuses, id) ? statuses[id] : undefined),
    }));
}

function doing(
  asked: string | undefined,
  status: z.infer<typeof Statuses>[string] | undefined,
): Pick<ServerSession, 'fact' | 'asked' | 'retry'> {
  if (asked !== undefined) return { fact: 'said_asking', asked };
  if (!status || status.type === 'idle') return { fact: 'said_idle' };
  const attempt = Math.max(1, Math.trunc(status.attempt ?? 1));
  if (status.type === 'retry' && Number.isSafeInteger(attempt))
    return { fact: 'said_busy', retry: { attempt } };
  return { fact: 'said_busy' };
}

function rootOf(id: string, parents: ReadonlyMap<string, string | undefined>): string {
  const seen = new Set<string>();
  let root = id;
  for (
    let parent = parents.get(root);
    parent !== undefined && !seen.has(parent);
    parent = parents.get(root)
  ) {
    seen.add(parent);
    root = parent;
  }
  return root;
}

/** The entries of a list that can be read. */
function each<Schema extends z.ZodType>(schema: Schema, list: unknown): z.infer<Schema>[] {
  return Array.isArray(list) ? list.flatMap((entry) => schema.safeParse(entry).data ?? []) : [];
}
