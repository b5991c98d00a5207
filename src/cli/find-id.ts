import type { Client } from '../client/client.js';
import { plainLine } from '../domain/plain-text.js';
import { shortIds } from '../domain/short-id.js';
import { Failure } from '../protocol/failure.js';
import { DispatchId, idPrefix, PromptId, ThreadId } from '../protocol/id.js';
import { fit } from './terminal/fit.js';

/** Something a person can name on a command line. */
export type Named =
  | { readonly kind: 'thread'; readonly id: ThreadId }
  | { readonly kind: 'dispatch'; readonly id: DispatchId }
  | { readonly kind: 'prompt'; readonly id: PromptId };

type Kind = Named['kind'];
type Candidate = Named & { readonly title: string };

const shownCandidates = 10;

/** What a whole id or the beginning of one names, among these kinds; the prefix of the kind may be left out. */
export async function findNamed(client: Client, text: string, kinds: readonly Kind[]): Promise<Named> {
  const whole = wholeId(text, kinds);
  if (whole) return whole;
  const candidates: Candidate[] = [];
  for (const kind of kinds.filter((each) => couldBegin(text, each))) {
    // oxlint-disable-next-line no-await-in-loop -- mostly one kind is left
    for await (const candidate of candidatesOf(client, kind, beginning(text, kind)))
      candidates.push(candidate);
  }
  const [first] = candidates;
  if (!first) throw new Failure('not_found', `No ${kinds.join(', no ')} begins with ${text}`);
  if (candidates.length > 1) throw ambiguous(text, candidates);
  return first;
}

export async function findThread(client: Client, text: string): Promise<ThreadId> {
  return ThreadId.parse((await findNamed(client, text, ['thread'])).id);
}

export async function findPrompt(client: Client, text: string): Promise<PromptId> {
  return PromptId.parse((await findNamed(client, text, ['prompt'])).id);
}

/** A dispatch, or the newest one of a thread. */
export async function findDispatch(client: Client, text: string): Promise<DispatchId> {
  const named = await findNamed(client, text, ['dispatch', 'thread']);
  if (named.kind === 'dispatch') return named.id;
  const thread = await client.threads.get(ThreadId.parse(named.id));
  if (thread.lastDispatch) return thread.lastDispatch.id;
  throw new Failure('not_found', `The thread ${named.id} has no dispatch yet`);
}

function wholeId(text: string, kinds: readonly Kind[]): Named | undefined {
  const thread = ThreadId.safeParse(text);
  if (thread.success && kinds.includes('thread')) return { kind: 'thread', id: thread.data };
  const dispatch = DispatchId.safeParse(text);
  if (dispatch.success && kinds.includes('dispatch')) return { kind: 'dispatch', id: dispatch.data };
  const prompt = PromptId.safeParse(text);
  if (prompt.success && kinds.includes('prompt')) return { kind: 'prompt', id: prompt.data };
  return undefined;
}

function couldBegin(text: string, kind: Kind): boolean {
  const prefix = `${idPrefix[kind]}_`;
  return text.includes('_') ? text.startsWith(prefix) : /^[0-9a-z]+$/.test(text);
}

/** The beginning of an id, with the prefix of its kind. */
function beginning(text: string, kind: Kind): string {
  const prefix = `${idPrefix[kind]}_`;
  return text.startsWith(prefix) ? text : `${prefix}${text}`;
}

async function* candidatesOf(client: Client, kind: Kind, begins: string): AsyncGenerator<Candidate> {
  switch (kind) {
    case 'thread':
      for await (const { id, title } of client.threads.all({ idPrefix: begins })) yield { kind, id, title };
      return;
    case 'dispatch':
      for await (const { id, title, text } of client.dispatches.all({ idPrefix: begins }))
        yield { kind, id, title: title ?? text };
      return;
    case 'prompt':
      for await (const { id, questions } of client.prompts.all({ idPrefix: begins }))
        yield { kind, id, title: questions[0]?.question ?? '' };
      return;
    default:
      kind satisfies never;
  }
}

function ambiguous(text: string, candidates: readonly Candidate[]): Failure {
  const short = shortIds(candidates.map(({ id }) => id));
  const lines = candidates
    .slice(0, shownCandidates)
    .map(({ id, title }) => `\n  ${short(id)}  ${fit(plainLine(title), 60)}`);
  const more = candidates.length - lines.length;
  return new Failure(
    'invalid',
    `${text} could be any of ${candidates.length}:${lines.join('')}${more > 0 ? `\n  and ${more} more` : ''}`,
  );
}
