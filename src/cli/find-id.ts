import type { Client } from '../client/client.js';
import { currentWork } from '../domain/dispatch/current-work.js';
import { shortIds } from '../domain/words/short-id.js';
import { Failure } from '../protocol/failure.js';
import { DispatchId, idPrefix, PromptId, ThreadId } from '../protocol/id.js';
import { ThreadName } from '../protocol/thread-name.js';
import { fitLine } from './terminal/fit.js';

/** Something a person can name on a command line. */
export type Named =
  | { readonly kind: 'thread'; readonly id: ThreadId }
  | { readonly kind: 'dispatch'; readonly id: DispatchId }
  | { readonly kind: 'prompt'; readonly id: PromptId };

type Kind = Named['kind'];
type Candidate = Named & { readonly title: string };

const shownCandidates = 10;

/**
 * What a text names, among these kinds: a whole id, the newest, the name of a thread, the beginning of an id, or else the
 * end of one. The prefix of the kind may be left out.
 */
export async function findNamed(client: Client, text: string, kinds: readonly Kind[]): Promise<Named> {
  const whole = wholeId(text, kinds) ?? (isNewest(text) ? await newest(client, kinds) : undefined);
  if (whole) return whole;
  const byName = kinds.includes('thread') ? await named(client, text) : undefined;
  if (byName) return byName;
  const begun = await candidates(client, kinds, (kind) =>
    couldBegin(text, kind) ? { idPrefix: beginning(text, kind) } : undefined,
  );
  if (begun.length > 1) throw ambiguous(begun, `ids start with "${text}". Type more of the one you mean`);
  if (begun[0]) return begun[0];
  const ended = await candidates(client, kinds, () => (couldEnd(text) ? { idSuffix: text } : undefined));
  if (ended.length > 1) throw ambiguous(ended, `ids end with "${text}". Type more of the one you mean`);
  if (ended[0]) return ended[0];
  const orName = kinds.includes('thread') ? ', and none has this name' : '';
  throw new Failure(
    'not_found',
    `No ${kindWords(kinds)} has an id that starts or ends with "${text}"${orName}.`,
  );
}

/** Each of these, in order, before anything is done to one of them: a typing error changes nothing. */
export async function findEach<Found>(
  client: Client,
  texts: readonly string[],
  find: (client: Client, text: string) => Promise<Found>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const text of texts) found.push(await find(client, text));
  return [...new Set(found)];
}

export async function findThread(client: Client, text: string): Promise<ThreadId> {
  return ThreadId.parse((await findNamed(client, text, ['thread'])).id);
}

/** A thread, or the thread of a dispatch. */
export async function findThreadOf(client: Client, text: string): Promise<ThreadId> {
  const named = await findNamed(client, text, ['thread', 'dispatch']);
  if (named.kind !== 'dispatch') return ThreadId.parse(named.id);
  return (await client.dispatches.get(named.id)).threadId;
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
  throw new Failure('not_found', `Thread ${named.id} has not been given any work yet.`);
}

/** A dispatch, or the one of a thread that is under way, else the one that begins next, else the newest. */
export async function findWork(client: Client, text: string): Promise<DispatchId> {
  const named = await findNamed(client, text, ['dispatch', 'thread']);
  if (named.kind === 'dispatch') return named.id;
  const current = currentWork(await client.dispatches.unended(ThreadId.parse(named.id)));
  return current?.id ?? (await findDispatch(client, named.id));
}

// The newest, in the words of shells and of git.
function isNewest(text: string): boolean {
  return text === 'last' || text === '@';
}

async function newest(client: Client, kinds: readonly Kind[]): Promise<Named> {
  const one = { limit: 1, order: 'newest_first' } as const;
  if (kinds.includes('thread')) {
    const [thread] = (await client.threads.list(one)).threads;
    if (thread) return { kind: 'thread', id: thread.id };
  } else if (kinds.includes('dispatch')) {
    const [dispatch] = (await client.dispatches.list(one)).dispatches;
    if (dispatch) return { kind: 'dispatch', id: dispatch.id };
  } else if (kinds.includes('prompt')) {
    const prompt = (await client.prompts.open()).at(-1);
    if (prompt) return { kind: 'prompt', id: prompt.id };
    throw new Failure('not_found', 'No question is open.');
  }
  throw new Failure('not_found', 'There is no work yet. Give some with: handraise run "TEXT"');
}

/** Kinds as a person lists them: "thread or dispatch". */
function kindWords(kinds: readonly Kind[]): string {
  const words = kinds.map((kind) => (kind === 'prompt' ? 'question' : kind));
  return words.length > 2 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : words.join(' or ');
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

function couldEnd(text: string): boolean {
  return /^[0-9a-z]{1,26}$/.test(text);
}

async function named(client: Client, text: string): Promise<Named | undefined> {
  const name = ThreadName.safeParse(text);
  if (!name.success) return undefined;
  const [thread] = (await client.threads.list({ name: name.data, limit: 1 })).threads;
  return thread && { kind: 'thread', id: thread.id };
}

interface IdPart {
  readonly idPrefix?: string;
  readonly idSuffix?: string;
}

/** What of these kinds has such an id; kinds that cannot have one are left out. */
async function candidates(
  client: Client,
  kinds: readonly Kind[],
  partOf: (kind: Kind) => IdPart | undefined,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const kind of kinds) {
    const part = partOf(kind);
    if (!part) continue;
    for await (const candidate of candidatesOf(client, kind, part)) found.push(candidate);
  }
  return found;
}

async function* candidatesOf(client: Client, kind: Kind, part: IdPart): AsyncGenerator<Candidate> {
  switch (kind) {
    case 'thread':
      for await (const { id, title } of client.threads.all({ ...part, archived: 'include' }))
        yield { kind, id, title };
      return;
    case 'dispatch':
      for await (const { id, title, text } of client.dispatches.all(part))
        yield { kind, id, title: title ?? text };
      return;
    case 'prompt':
      for await (const { id, questions } of client.prompts.all(part))
        yield { kind, id, title: questions[0]?.question ?? '' };
      return;
    default:
      kind satisfies never;
  }
}

function ambiguous(found: readonly Candidate[], problem: string): Failure {
  const short = shortIds(found.map(({ id }) => id));
  const lines = found
    .slice(0, shownCandidates)
    .map(({ id, title }) => `\n  ${short(id)}  ${fitLine(title, 60)}`);
  const more = found.length - lines.length;
  return new Failure(
    'invalid',
    `${found.length} ${problem}:${lines.join('')}${more > 0 ? `\n  and ${more} more` : ''}`,
  );
}
