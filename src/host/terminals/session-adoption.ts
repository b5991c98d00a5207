import { actorWords } from '../../domain/words/actor-words.js';
import { readProcess } from '../../process/families/process-table.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { ThreadId } from '../../protocol/id.js';
import type { AdoptRequest, FoundSession } from '../../protocol/terminal.js';
import type { ThreadEventBody } from '../../protocol/thread-event.js';
import type { Store } from '../../store/store.js';
import { type Clock, instant } from '../clock.js';
import type { Admission } from '../dispatches/admission.js';
import type { Actor } from '../host.js';
import type { RuntimeCatalog } from '../runtime-catalog.js';
import { nameTaken } from '../threads/name-taken.js';
import { ChangeRefused } from '../threads/thread-changes.js';
import { saidBy } from './hand-back.js';

const mostFound = 200;

export interface SessionAdoptionParts {
  readonly store: Store;
  readonly runtimes: RuntimeCatalog;
  readonly admission: Admission;
  readonly clock: Clock;
}

/** Sessions that people have started in the runtimes' own programs, and how one becomes a thread. */
export class SessionAdoption {
  readonly #parts: SessionAdoptionParts;

  constructor(parts: SessionAdoptionParts) {
    this.#parts = parts;
  }

  /** Those that are nobody's thread, newest first; of this folder and those below it, where one is given. */
  async list({ workspace }: { readonly workspace?: string }): Promise<readonly FoundSession[]> {
    const found = await this.#parts.runtimes.terminals.list(mostFound);
    const here = workspace === undefined ? found : found.filter((each) => isIn(workspace, each.workspace));
    const owned = await this.#owners(here);
    return here
      .filter(({ runtime, sessionId }) => !owned.has(key(runtime, sessionId)))
      .map(({ openIn, ...session }) => ({ ...session, ...given({ openIn: living(openIn) }) }))
      .toSorted((a, b) => (a.changedAt < b.changedAt ? 1 : -1))
      .slice(0, mostFound);
  }

  /** A thread that goes on with a session, with what was said in it so far. */
  async adopt({ sessionId, runtime, name }: AdoptRequest, actor: Actor): Promise<ThreadId> {
    const { store, runtimes, admission, clock } = this.#parts;
    const session = await this.#find(sessionId, runtime);
    const row = admission.newThread({
      runtime: session.runtime,
      workspace: { path: session.workspace },
      posture: {},
      title: session.title,
      resume: session.sessionId,
      ...given({ name }),
    });
    const place = { runtime: session.runtime, posture: row.launch.posture, sessionId: session.sessionId };
    const { facts, isCut } = await runtimes.terminals.said(place);
    const more = isCut ? ' The session holds more than is shown here.' : '';
    const message = `A ${session.runtime} session that was started by hand was adopted by ${actorWords(actor)}. What follows was said there.${more}`;
    const at = instant(clock);
    const events = [{ type: 'notice', message } as const, ...facts.map((fact) => saidBy(actor, fact))];
    const made = await store.commit({
      operations: [
        { do: 'insertThread', thread: row },
        { do: 'appendEvents', threadId: row.id, events: events.map((event) => written(event, at)) },
      ],
    });
    if (!made.committed) throw nameTaken(made.refusal) ?? new ChangeRefused(row.id, made.refusal);
    return row.id;
  }

  async #find(sessionId: string, runtime: string | undefined): Promise<FoundSession> {
    const all = await this.#parts.runtimes.terminals.list(mostFound);
    const found = all.filter(
      (each) => each.sessionId.startsWith(sessionId) && (runtime === undefined || each.runtime === runtime),
    );
    const [session, other] = found;
    if (!session)
      throw new Failure(
        'not_found',
        `No session starts with "${sessionId}". See those that can be adopted with: handraise adopt`,
      );
    if (other)
      throw new Failure(
        'invalid',
        `${found.length} sessions start with "${sessionId}": ${found
          .slice(0, 5)
          .map((each) => `${each.sessionId} (${each.runtime})`)
          .join(', ')}. Type more of the one you mean, or name its runtime.`,
      );
    const owner = (await this.#owners([session])).get(key(session.runtime, session.sessionId));
    if (owner !== undefined)
      throw new Failure(
        'conflict',
        `This session is a thread already: ${owner}. See it with: handraise show ${owner}`,
      );
    const pid = living(session.openIn);
    if (pid !== undefined)
      throw new Failure(
        'conflict',
        `The session is open in ${session.runtime} (pid ${pid}), and two writers would lose what one of them says. Leave it there first.`,
      );
    return session;
  }

  async #owners(sessions: readonly FoundSession[]): Promise<Map<string, ThreadId>> {
    const owners = new Map<string, ThreadId>();
    for (const runtime of new Set(sessions.map((session) => session.runtime))) {
      const ids = sessions.filter((session) => session.runtime === runtime).map(({ sessionId }) => sessionId);
      for (const { sessionId, threadId } of await this.#parts.store.query('sessionOwners', {
        runtime,
        sessionIds: ids,
      }))
        owners.set(key(runtime, sessionId), threadId);
    }
    return owners;
  }
}

function key(runtime: string, sessionId: string): string {
  return `${runtime} ${sessionId}`;
}

function isIn(folder: string, place: string): boolean {
  return place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The pid, where such a process lives; a program that was killed leaves its file behind. */
function living(pid: number | undefined): number | undefined {
  return pid !== undefined && readProcess(pid) ? pid : undefined;
}

function written({ type, ...fields }: ThreadEventBody, timestamp: string) {
  return { type, timestamp, json: JSON.stringify({ type, timestamp, ...fields }) };
}
