import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import type { Client } from '../../client/client.js';
import { typedAnswer } from '../../domain/prompts/typed-answer.js';
import { askText } from '../../domain/words/ask-text.js';
import { plainText } from '../../domain/words/plain-text.js';
import { settlementWords } from '../../domain/words/settlement-words.js';
import { isOpenPrompt } from '../../live/overview.js';
import { ExitCode } from '../../protocol/exit-code.js';
import { Failure } from '../../protocol/failure.js';
import { type Answer, type Prompt, QuestionAnswer } from '../../protocol/prompt.js';
import { longestAnswer } from '../../protocol/question.js';
import { AnswerPlace, isAttended } from '../ask/answer-here.js';
import { allAbilities } from '../ask/approval-menu.js';
import { askPlainly } from '../ask/ask-plainly.js';
import { readyClient } from '../background-worker.js';
import { findPrompt } from '../find-id.js';
import { writeMessage } from '../output.js';
import { sendAnswer } from '../send-answer.js';
import { readTypedLine } from '../terminal/keyboard.js';
import { precedentLines } from '../view/precedent-lines.js';

/** `handraise answer`: an answer to a question. */
export function addAnswer(program: Command): void {
  program
    .command('answer')
    .summary('answer a question')
    .description(
      'Answers a question. A number picks that option, numbers separated by commas pick several, and any other text ' +
        'is the answer itself. For several questions write one line per question: 1) … 2) … ' +
        'Without an answer, on a terminal, you are asked; that works for approvals too.',
    )
    .argument('<prompt>', 'question id, or its first letters')
    .argument('[text...]', 'the answer: option numbers or text')
    .option('--text <text>', 'answer with exactly this text, also when it is a number')
    .option('--stdin', 'read the answer from standard input, so that it stands in no list of processes')
    .option('--option <number...>', 'pick the options with these numbers', toOption)
    .option(
      '--json-answers <json>',
      'answers as a JSON array of {"question": "…", "answer": ["…"]}; every question must match exactly',
    )
    .option('--same', 'give the answer that was given before to the same, as handraise inbox shows it')
    .option('--all-like', 'give this answer to every open question that is the same, in all threads')
    .option('--json', 'print the question as JSON')
    .addHelpText('after', examples)
    .action(answer);
}

const examples = `
Examples:
  $ handraise answer prm_01k9y 2
  $ handraise answer prm_01k9y use the staging database
  $ handraise answer prm_01k9y --option 1 --option 3
  $ handraise answer prm_01k9y 2 --all-like      # every question that is the same
  $ pass show shop/db | handraise answer prm_01k9y --stdin
`;

interface AnswerOptions {
  readonly text?: string;
  readonly stdin?: true;
  readonly option?: readonly number[];
  readonly same?: true;
  readonly jsonAnswers?: string;
  readonly allLike?: true;
  readonly json?: true;
}

async function answer(prompt: string, words: readonly string[], options: AnswerOptions): Promise<void> {
  const given = [
    words.join(' ') || undefined,
    options.text,
    options.stdin,
    options.option,
    options.same,
    options.jsonAnswers,
  ].filter((way) => way !== undefined);
  // Without any answer a secret is asked for, once it is known that it is one.
  if (given.length > 1 || (given.length === 0 && !process.stdin.isTTY)) throw new Failure('usage', oneWay);
  const answers = options.jsonAnswers === undefined ? undefined : structured(options.jsonAnswers);
  const client = await readyClient();
  const id = await findPrompt(client, prompt);
  const asked = await client.prompts.get(id);
  const isTyped = given.length === 0;
  if (asked.questions.some(({ isSecret }) => isSecret)) {
    if (!isTyped && !options.stdin) throw secretInArguments(id);
    const secret = isTyped ? await typedSecret(asked) : await readStdin();
    await sendAnswer(client, { id, answer: exactly(asked, secret), ...options });
    return;
  }
  if (isTyped && (options.json || !isAttended())) throw new Failure('usage', oneWay);
  if (isTyped) return await answerByMenu(client, asked, options);
  if (options.same) return await answerAsBefore(client, asked, options);
  const text = options.stdin ? await readStdin() : words.join(' ');
  const answer = answers ? { answers } : await answerTo(asked, text, options);
  if (answer) await sendAnswer(client, { id, answer, ...options });
  else process.exitCode = ExitCode.interrupted;
}

/** Nothing was said on the command line, so the person is asked, as `run` asks. */
async function answerByMenu(client: Client, asked: Prompt, { allLike }: AnswerOptions): Promise<void> {
  if (!isOpenPrompt(asked))
    throw new Failure('conflict', `${asked.id} is settled: ${settlementWords(asked)}`);
  using place = new AnswerPlace(client);
  const became = await place.ask(asked, { allLike });
  if (became === 'left' || became === 'put_off') process.exitCode = ExitCode.interrupted;
}

/** Says what it gives, because it was looked up a moment ago. */
async function answerAsBefore(client: Client, asked: Prompt, options: AnswerOptions): Promise<void> {
  const precedents = await client.prompts.precedents(asked.id);
  const [same] = precedents.filter(({ likeness, answer }) => likeness === 'same' && answer);
  if (!same?.answer)
    throw new Failure(
      'not_found',
      `Nobody has answered the same as ${asked.id} before in this project, or the answer does not fit. Answer it: handraise answer ${asked.id}`,
    );
  writeMessage(`As before: ${precedentLines([same], Date.now()).join('')}`);
  await sendAnswer(client, { id: asked.id, answer: same.answer, ...options });
}

const oneWay =
  'Give one answer: TEXT, --text TEXT, --stdin, --option NUMBER, --same, or --json-answers JSON.';

/** What stands in a command line is seen by every user of the machine, and kept by the shell. */
function secretInArguments(id: string): Failure {
  return new Failure(
    'invalid',
    `${id} asks for a secret, which must not stand in a command line: others can read it there, and the shell keeps it. Nothing was sent. Type it after: handraise answer ${id}, or give it with: handraise answer ${id} --stdin`,
  );
}

async function typedSecret({ questions }: Prompt): Promise<string> {
  const [first] = questions;
  const { signal } = new AbortController();
  const ask = `${plainText(first?.question ?? '')}\n(what you type is not shown) `;
  const typed = await readTypedLine({ ask, signal, isSecret: true });
  if (typed.kind === 'line' && typed.text !== '') return typed.text;
  throw new Failure('usage', 'Nothing was typed, and nothing was sent.');
}

/** All that comes, without the line end that `echo` and most tools add. */
async function readStdin(): Promise<string> {
  const text = (await readBoundedText(process.stdin, longestAnswer * 4)).replace(/\r?\n$/, '');
  if (text === '') throw new Failure('usage', 'Nothing came from standard input, and nothing was sent.');
  return text;
}

async function readBoundedText(input: NodeJS.ReadStream, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const piece = Buffer.from(chunk);
    chunks.push(piece);
    bytes += piece.length;
    if (bytes > most) throw new Failure('invalid', 'The answer is too long. Nothing was sent.');
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A secret is never read as a number of an option, nor as several answers, where there is one question. */
function exactly(prompt: Prompt, text: string): Answer {
  const [only, ...more] = prompt.questions;
  return only && more.length === 0 ? { answers: [{ question: only.question, answer: [text] }] } : { text };
}

/** The answer, or null when the person who was asked again had enough of it. */
async function answerTo(
  prompt: Prompt,
  typed: string,
  { text, option, json }: AnswerOptions,
): Promise<Answer | null> {
  if (text !== undefined && prompt.kind !== 'approval')
    return { answers: prompt.questions.map(({ question }) => ({ question, answer: [text] })) };
  if (option && prompt.kind === 'approval')
    throw new Failure(
      'invalid',
      `${prompt.id} is an approval and has no options. Use: handraise approve or deny`,
    );
  const read = typedAnswer(prompt, option?.join(',') ?? text ?? typed);
  if (read.ok) return read.answer;
  const instead =
    prompt.kind === 'approval'
      ? `Use: handraise approve ${prompt.id} or handraise deny ${prompt.id}`
      : 'To send it as it is, use --text.';
  const refusal = new Failure('invalid', `${read.why} ${instead}`);
  const isOpen = prompt.state === 'pending' && prompt.acceptedAt === undefined;
  if (!isOpen || json || !process.stdin.isTTY || !process.stderr.isTTY) throw refusal;
  writeMessage(read.why);
  return await askAgain(prompt, refusal);
}

/** Whoever sits at a terminal can be asked again, as `run` asks. */
async function askAgain(prompt: Prompt, refusal: Failure): Promise<Answer | null> {
  const printed = askText(prompt, undefined);
  process.stderr.write(`${printed}\n`);
  const { signal } = new AbortController();
  // What the agent's runtime cannot be told is refused by the worker.
  const said = await askPlainly(prompt, allAbilities, { printed, signal });
  if (said.kind === 'called_off') throw refusal;
  return said.kind === 'answer' ? said.answer : null;
}

function structured(text: string): QuestionAnswer[] {
  try {
    return z.array(QuestionAnswer).min(1).parse(JSON.parse(text));
  } catch (error) {
    throw new Failure(
      'invalid',
      '--json-answers must be JSON of this form: [{"question":"…","answer":["…"]}]',
      { cause: error },
    );
  }
}

function toOption(text: string, before: readonly number[] = []): readonly number[] {
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new InvalidArgumentError('It must be the number of an option, 1 or more.');
  return [...before, Number(text)];
}
