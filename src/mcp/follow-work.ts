import type { Dispatch } from '../protocol/dispatch.js';
import type { DispatchId, PromptId } from '../protocol/id.js';
import type { Prompt } from '../protocol/prompt.js';
import type { McpCall } from './tool.js';

/** Work as far as it came while somebody waited, and what is to be said about its prompts. */
export interface FollowedWork {
  readonly dispatch: Dispatch;
  readonly notes: readonly string[];
}

const lookEverySeconds = 2;

/**
 * Waits until work has ended, the time is over, or a prompt is open that nobody answers here. The person at the other
 * program is offered each open prompt once. Who is patient waits on while a prompt is answered elsewhere.
 */
export async function followWork(
  id: DispatchId,
  call: McpCall,
  { seconds, isPatient = false }: { readonly seconds: number; readonly isPatient?: boolean },
): Promise<FollowedWork> {
  const until = call.now() + seconds * 1000;
  const offered = new OfferedPrompts(call);
  for (;;) {
    const left = Math.max(0, (until - call.now()) / 1000);
    const dispatch = await call.client.dispatches.wait(id, Math.min(left, lookEverySeconds), call.signal);
    if (dispatch.state === 'ended' || left === 0) return { dispatch, notes: offered.notes };
    await call.progress(dispatch.state);
    if (dispatch.state !== 'waiting' || call.identity.scope === 'agent') continue;
    const open = await call.client.prompts.open({ thread: dispatch.threadId });
    if (await offered.offerNext(open)) continue;
    if (open.length > 0 && !isPatient) return { dispatch, notes: offered.notes };
  }
}

/** The prompts that the person at the other program was offered, each once. */
export class OfferedPrompts {
  readonly #call: Pick<McpCall, 'client' | 'person' | 'signal'>;
  readonly #words = new Map<PromptId, string>();

  constructor(call: Pick<McpCall, 'client' | 'person' | 'signal'>) {
    this.#call = call;
  }

  /** Offers the next one; false where there is none, or nobody to offer it to. */
  async offerNext(open: readonly Prompt[]): Promise<boolean> {
    const { client, person, signal } = this.#call;
    const fresh = open.find(({ id }) => !this.#words.has(id));
    if (!fresh || !person) return false;
    const result = await person.offer(fresh, client, signal);
    this.#words.set(fresh.id, result.kind === 'open' ? `${fresh.id}: ${result.why}` : '');
    return true;
  }

  /** What is to be said about those that are still open. */
  get notes(): readonly string[] {
    return [...this.#words.values()].filter((words) => words !== '');
  }
}
