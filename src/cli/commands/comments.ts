import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Client } from '../../client/client.js';
import { findLine } from '../../domain/review/changed-line.js';
import type { ChangedPath } from '../../protocol/changes.js';
import { cutText } from '../../protocol/cut-text.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { ThreadId } from '../../protocol/id.js';
import { type CommentSide, longestQuote, type ReviewComment } from '../../protocol/review-comment.js';
import { readyClient } from '../background-worker.js';
import { findThreadOf } from '../find-id.js';
import { writeJson, writeLine, writeMessage } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { commentLines } from '../view/comment-view.js';

const threadArgument = ['<id>', 'thread or dispatch id, its first letters, or last'] as const;
const commentArgument = 'comment ids, or their first letters';

/** `handraise comments`: what was said about the lines that an agent changed. */
export function addComments(program: Command): void {
  const comments = program
    .command('comments')
    .summary('comment on what an agent changed')
    .description(
      'Comments on lines of what an agent changed. They gather until you send them; then the agent gets all of them as one piece of work. ' +
        'Comments that the agent writes with its own tools are here as well.',
    )
    .addHelpText('after', examples);

  comments
    .command('list', { isDefault: true })
    .description('Lists the comments, oldest first.')
    .argument(...threadArgument)
    .option('--open', 'only those that are not resolved')
    .option('--file <path>', 'only those on this file')
    .option('--json', 'print a JSON array')
    .addHelpText('after', '\nExamples:\n  $ handraise comments last --open\n')
    .action(list);

  comments
    .command('add')
    .description('Adds a comment to a line. It is not sent yet.')
    .argument(...threadArgument)
    .argument('<place>', 'file and line, as FILE:LINE')
    .argument('<text...>', 'the comment; - reads it from stdin')
    .option('--old', 'the line as it was before the work')
    .option('--json', 'print the comment as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ handraise comments add last src/price.ts:18 "-0.5 must become 0"\n',
    )
    .action(add);

  comments
    .command('send')
    .description('Sends comments to the agent, as one piece of work.')
    .argument(...threadArgument)
    .argument('[comment...]', `${commentArgument}; without it all open ones of yours that were not sent`)
    .option('--json', 'print the work as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise comments send last\n')
    .action(send);

  comments
    .command('edit')
    .description('Changes the words of a comment. It has to be sent again.')
    .argument(...threadArgument)
    .argument('<comment>', 'comment id, or its first letters')
    .argument('<text...>', 'the new words; - reads them from stdin')
    .option('--json', 'print the comment as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise comments edit last 3f2a Use whole cents.\n')
    .action(edit);

  for (const [name, state, does] of [
    ['resolve', 'resolved', 'Marks comments as resolved.'],
    ['reopen', 'open', 'Opens comments again that were resolved.'],
  ] as const) {
    comments
      .command(name)
      .description(does)
      .argument(...threadArgument)
      .argument('<comment...>', commentArgument)
      .option('--json', 'print the comments as JSON, one per line')
      .addHelpText('after', `\nExamples:\n  $ handraise comments ${name} last 3f2a\n`)
      .action(async (text: string, ids: readonly string[], { json }: { json?: true }) => {
        const { client, threadId, chosen } = await choose(text, ids);
        for (const { id } of chosen) {
          const comment = await client.comments.edit(threadId, id, { state });
          if (json) writeJson(comment);
        }
        writeMessage(`${counted(chosen.length)} ${state === 'open' ? 'open again' : 'resolved'}.`);
      });
  }

  comments
    .command('rm')
    .description('Removes comments.')
    .argument(...threadArgument)
    .argument('<comment...>', commentArgument)
    .option('--json', 'print what was removed as JSON, one per line')
    .addHelpText('after', '\nExamples:\n  $ handraise comments rm last 3f2a\n')
    .action(async (text: string, ids: readonly string[], { json }: { json?: true }) => {
      const { client, threadId, chosen } = await choose(text, ids);
      for (const { id } of chosen) {
        const comment = await client.comments.remove(threadId, id);
        if (json) writeJson(comment);
      }
      writeMessage(`${counted(chosen.length)} removed.`);
    });
}

const examples = `
Examples:
  $ handraise comments last
  $ handraise comments add last src/price.ts:18 "Add a test for negative amounts."
  $ handraise comments send last
  $ handraise comments resolve last 3f2a
`;

interface ListOptions {
  readonly open?: true;
  readonly file?: string;
  readonly json?: true;
}

async function list(text: string, { open, file, json }: ListOptions): Promise<void> {
  const client = await readyClient();
  const threadId = await findThreadOf(client, text);
  const comments = await client.comments.all(threadId, {
    ...(open ? { state: 'open' } : {}),
    ...given({ file }),
  });
  if (json) return writeJson(comments);
  const colours = coloursOf(process.stdout);
  for (const line of commentLines(comments, { colours, now: Date.now() })) writeLine(line);
  if (comments.length === 0)
    writeMessage(`No comments. Write one with: handraise comments add ${threadId} FILE:LINE TEXT`);
}

async function add(
  text: string,
  place: string,
  words: readonly string[],
  { old, json }: { old?: true; json?: true },
): Promise<void> {
  const { file, line } = placeOf(place);
  const side = old ? 'old' : 'new';
  const client = await readyClient();
  const threadId = await findThreadOf(client, text);
  const body = await wordsOf(words);
  const quote = await quoteOf(client, threadId, { file, line, side });
  const comment = await client.comments.add(threadId, { file, line, side, body, ...given({ quote }) });
  if (json) writeJson(comment);
  else writeLine(comment.id);
  if (quote === undefined) writeMessage(`Line ${line} of ${file} is not among the lines that changed.`);
  writeMessage(`Not sent yet. Send it with: handraise comments send ${threadId}`);
}

async function send(text: string, ids: readonly string[], { json }: { json?: true }): Promise<void> {
  const { client, threadId, chosen } = await choose(text, ids);
  const sent = await client.comments.send(
    threadId,
    ids.length === 0 ? {} : { ids: chosen.map(({ id }) => id) },
  );
  if (json) writeJson(sent);
  else writeLine(sent.dispatchId);
  writeMessage(`${counted(sent.sent.length)} sent. Follow the work with: handraise logs -f ${threadId}`);
}

async function edit(
  text: string,
  comment: string,
  words: readonly string[],
  { json }: { json?: true },
): Promise<void> {
  const { client, threadId, chosen } = await choose(text, [comment]);
  const body = await wordsOf(words);
  for (const { id } of chosen) {
    const edited = await client.comments.edit(threadId, id, { body });
    if (json) writeJson(edited);
  }
  writeMessage('Changed.');
}

/** The comments of a thread that are meant. */
async function choose(
  text: string,
  ids: readonly string[],
): Promise<{ client: Client; threadId: ThreadId; chosen: readonly ReviewComment[] }> {
  const client = await readyClient();
  const threadId = await findThreadOf(client, text);
  if (ids.length === 0) return { client, threadId, chosen: [] };
  const all = await client.comments.all(threadId);
  const chosen = ids.map((begins) => {
    const found = all.filter(({ id }) => id.startsWith(begins.toLowerCase()));
    const [first] = found;
    if (!first) throw new Failure('not_found', `${threadId} has no comment that starts with "${begins}".`);
    if (found.length > 1)
      throw new Failure(
        'invalid',
        `${found.length} comments start with "${begins}". Type more of the one you mean.`,
      );
    return first;
  });
  return { client, threadId, chosen: [...new Set(chosen)] };
}

function placeOf(place: string): { readonly file: string; readonly line: number } {
  const [, file, digits] = /^(?:\.\/)?(.+):(\d{1,8})$/.exec(place) ?? [];
  const line = Number(digits);
  if (file === undefined || line < 1)
    throw new Failure('usage', `Name a file and a line, for example src/price.ts:18. "${place}" is neither.`);
  return { file, line };
}

async function wordsOf(words: readonly string[]): Promise<string> {
  const text = words.join(' ');
  return text === '-' ? await readAll(process.stdin) : text;
}

/** The line itself, as the agent is to read it; undefined where it is not part of the change. */
async function quoteOf(
  client: Client,
  threadId: ThreadId,
  { file, line, side }: { readonly file: string; readonly line: number; readonly side: CommentSide },
): Promise<string | undefined> {
  const changed = await changedFile(client, threadId, file);
  const text = findLine(changed?.hunks ?? [], { line, side })?.text;
  return text === undefined ? undefined : cutText(text, longestQuote);
}

/** A file that did not change, or that cannot be read any more, can be commented on all the same. */
async function changedFile(
  client: Client,
  threadId: ThreadId,
  file: string,
): Promise<ChangedPath | undefined> {
  try {
    const { files } = await client.threads.changes(threadId, { path: file, hunks: true });
    return files.find(({ path }) => path === file);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function counted(count: number): string {
  return count === 1 ? '1 comment' : `${count} comments`;
}
