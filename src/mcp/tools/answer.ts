import * as z from 'zod';
import { wholeText } from '../../domain/prompts/whole-text.js';
import { settlementWords } from '../../domain/words/settlement-words.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { AnswerRequest, Prompt } from '../../protocol/prompt.js';
import { longestAnswer } from '../../protocol/question.js';
import { lookTool, type McpCall } from '../tool.js';
import { decideElsewhere, told } from '../work-report.js';
import { promptId } from './arguments.js';

const input = z.strictObject({
  prompt: promptId,
  text: z
    .string()
    .min(1)
    .max(longestAnswer)
    .optional()
    .describe(
      'The answer to a question: the number of an option, numbers separated by commas, or text. For several questions one line each: 1) … 2) …',
    ),
  decision: z.enum(['approve', 'deny']).optional().describe('For an approval.'),
  digest: z.string().max(200).optional().describe('To approve: the digest of exactly what was shown.'),
  message: z.string().max(longestAnswer).optional().describe('To deny: why, or what to do instead.'),
});

/** Answers an open prompt in the name of the token; only what was shown whole is approved. */
export const answerTool = lookTool(
  {
    name: 'answer',
    title: 'Answer an open prompt',
    description:
      'Answers what an agent asks. To approve an action, its digest is needed, which status and wait tell where they ' +
      'have shown the whole action; where this program can ask its person, the person decides.',
    isReading: false,
    input,
  },
  async (given, call) => {
    const prompt = await call.client.prompts.get(given.prompt);
    const answered =
      prompt.kind === 'approval' ? await decide(prompt, given, call) : await reply(prompt, given, call);
    return told({ prompt: answered.id, state: answered.state, settled: settlementWords(answered) });
  },
);

type Given = z.infer<typeof input>;

async function reply(prompt: Prompt, { text, decision }: Given, { client }: McpCall): Promise<Prompt> {
  if (text === undefined || decision !== undefined)
    throw new Failure('invalid', 'text: this is a question, so answer it with text alone.');
  if (prompt.questions.some(({ isSecret }) => isSecret))
    throw new Failure(
      'forbidden',
      `It asks for a secret, which must not pass through here. Answer it with: ${decideElsewhere(prompt)}`,
    );
  return await client.prompts.answer(prompt.id, { text });
}

async function decide(prompt: Prompt, asked: Given, call: McpCall): Promise<Prompt> {
  const { decision, text, message, digest } = asked;
  if (decision === undefined || text !== undefined)
    throw new Failure('invalid', 'decision: this is an approval, so answer it with approve or deny.');
  if (decision === 'deny') {
    const denial: AnswerRequest = { decision: { approved: false, ...given({ message }) } };
    return await call.client.prompts.answer(prompt.id, denial);
  }
  if (call.person) {
    const offered = await call.person.offer(prompt, call.client, call.signal);
    if (offered.kind === 'answered') return offered.prompt;
    if (offered.kind === 'settled_elsewhere') return await call.client.prompts.get(prompt.id);
    throw new Failure('forbidden', offered.why);
  }
  await expectShown(prompt, digest, call);
  return await call.client.prompts.answer(prompt.id, { decision: { approved: true } });
}

async function expectShown(prompt: Prompt, digest: string | undefined, { client }: McpCall): Promise<void> {
  const shown = wholeText(prompt, await client.threads.get(prompt.threadId));
  if (!shown.isWhole)
    throw new Failure(
      'forbidden',
      `${shown.why} It cannot be approved here. Look at it and decide with: ${decideElsewhere(prompt)}`,
    );
  if (prompt.action === undefined || digest !== prompt.action.digest)
    throw new Failure(
      'forbidden',
      'digest: it is not that of this action. Read the whole action with status, and approve it with the digest that stands there.',
    );
}
