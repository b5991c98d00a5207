import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { Failure } from '../protocol/failure.js';
import { type Answer, QuestionAnswer } from '../protocol/prompt.js';
import { readyClient } from './background-worker.js';
import { findPrompt } from './find-id.js';
import { sendAnswer } from './send-answer.js';

/** `handraise answer`: an answer to a question. */
export function addAnswer(program: Command): void {
  program
    .command('answer')
    .summary('answer a question')
    .description(
      'Answers a prompt. A number chooses an option, several numbers with commas several of them; other text is\n' +
        'taken as it is. Several questions are answered with one line each: 1) … 2) …',
    )
    .argument('<prompt>', 'a prompt; the beginning of its id is enough')
    .argument('[text...]', 'the answer')
    .option('--option <number...>', 'choose these options', toOption)
    .option('--json-answers <json>', 'an array of {"question", "answer": […]}, checked strictly')
    .option('--all-like', 'answer every open prompt that is the same, in all threads')
    .option('--json', 'print the prompt as JSON')
    .addHelpText('after', examples)
    .action(answer);
}

const examples = `
Examples:
  $ handraise answer prm_01k9y 2
  $ handraise answer prm_01k9y use the staging database
  $ handraise answer prm_01k9y --option 1 --option 3
  $ handraise answer prm_01k9y 2 --all-like      # everywhere where the same is asked
`;

interface AnswerOptions {
  readonly option?: readonly number[];
  readonly jsonAnswers?: string;
  readonly allLike?: true;
  readonly json?: true;
}

async function answer(prompt: string, words: readonly string[], options: AnswerOptions): Promise<void> {
  const client = await readyClient();
  const given = answerOf(words.join(' '), options);
  await sendAnswer(client, { id: await findPrompt(client, prompt), answer: given, ...options });
}

function answerOf(text: string, { option, jsonAnswers }: AnswerOptions): Answer {
  const ways = [text !== '', option !== undefined, jsonAnswers !== undefined].filter(Boolean).length;
  if (ways !== 1) {
    throw new Failure('usage', 'Give one answer: TEXT, --option NUMBER, or --json-answers JSON');
  }
  if (option) return { text: option.join(',') };
  return jsonAnswers === undefined ? { text } : { answers: structured(jsonAnswers) };
}

function structured(text: string): QuestionAnswer[] {
  try {
    return z.array(QuestionAnswer).min(1).parse(JSON.parse(text));
  } catch (error) {
    throw new Failure('invalid', '--json-answers is [{"question":"…","answer":["…"]}]', { cause: error });
  }
}

function toOption(text: string, before: readonly number[] = []): readonly number[] {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Options are numbered from 1.');
  return [...before, Number(text)];
}
