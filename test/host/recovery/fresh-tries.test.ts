// @module-tag full
// A try that begins in a new session knows nothing of those before; what people have answered must reach it all the same.
import { describe, expect, test } from 'vitest';
import { saved } from '../claude-sessions.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

const question = { question: 'Which way?', options: ['Left', 'Right'] };
const looks = {
  claude: 'Bash {"command":"true"}',
  codex: 'exec_command {"cmd":"true"}',
  opencode: 'bash {"command":"true","description":"Looks"}',
} as const;

/** The input of Claude's tool that asks. */
function asking({ question, options }: { readonly question: string; readonly options: readonly string[] }) {
  const labelled = options.map((label) => ({ label, description: label }));
  return { questions: [{ question, header: 'Question', multiSelect: false, options: labelled }] };
}

/** Has an agent ask, use the answer, and die; and once more when its next life has asked the model. */
async function answeredAndKilledTwice(at: HostStage, runtime: keyof typeof looks) {
  const { simulator } = at.stage;
  const ask = `[[ask ${question.question} | ${question.options.join(' | ')}]]`;
  const dispatch = await at.work(`${ask} [[next]] [[tool ${looks[runtime]}]] [[next]] [[hang]]`, {
    permissions: 'autonomous',
  });
  const prompt = await at.asked(dispatch.threadId);
  await at.host.prompts.answer(prompt.id, { text: 'Left' }, owner);
  await at.prompt(prompt, ({ consumedAt }) => consumedAt !== undefined);
  await simulator.waitFor(({ decision }) => decision !== undefined && at.toolResults().length === 2);
  // Codex and OpenCode save what they were told before they ask the model.
  if (runtime === 'claude') await saved(at, 'have been answered');
  simulator.setScript({ replies: [{ delayMs: 600_000, blocks: [{ text: 'Late.' }] }] });
  const last = simulator.modelRequests().at(-1)?.seq ?? 0;
  await at.kill('agent');
  await simulator.waitFor(
    ({ seq, decision }) => seq > last && decision !== undefined && decision.from !== 'side_call',
  );
  await at.kill('agent');
  return { dispatch, prompt };
}

describe.each(['claude', 'codex', 'opencode'] as const)('%s', (runtime) => {
  test('an answer that an earlier session used is told to the fresh one', async () => {
    const at = await openHostStage({ retries: 3 }, runtime);
    const { dispatch, prompt } = await answeredAndKilledTwice(at, runtime);
    at.stage.simulator.setScript({ replies: [{ blocks: [{ text: 'Went left.' }] }] });
    const ended = await at.ended(dispatch);

    expect(ended).toMatchObject({ outcome: { result: 'succeeded', summary: 'Went left.' } });
    expect(ended.attempts.map(({ outcome }) => outcome?.reason)).toEqual(['crashed', 'crashed', undefined]);
    const last = at.stage.simulator
      .modelRequests()
      .findLast(({ decision }) => decision?.from !== 'side_call');
    expect(last?.conversation?.entries.filter(({ kind }) => kind === 'toolResult')).toEqual([]);
    expect(JSON.stringify(last?.conversation)).toContain('Answer: Left');
    expect((await at.prompt(prompt)).consumedAt).toBeDefined();
  });
});

test('a fresh session that asks the same is given the answer, and nobody is asked again', async () => {
  const at = await openHostStage({ retries: 3 });
  const { dispatch, prompt } = await answeredAndKilledTwice(at, 'claude');
  at.stage.simulator.setScript({
    replies: [
      { blocks: [{ tool: 'AskUserQuestion', input: asking(question) }] },
      { blocks: [{ text: 'Went left.' }] },
    ],
  });
  expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'Went left.' });
  const { rows } = await at.host.prompts.list({ threadId: dispatch.threadId });
  expect(rows.map(({ id }) => id)).toEqual([prompt.id]);
});

test('a fresh session that is killed while it asks is resumed with the answer', async () => {
  const at = await openHostStage({ retries: 3 });
  const { dispatch } = await answeredAndKilledTwice(at, 'claude');
  const door = { question: 'Which door?', options: ['Red', 'Green'] };
  at.stage.simulator.setScript({
    replies: [
      { blocks: [{ tool: 'AskUserQuestion', input: asking(door) }] },
      { blocks: [{ text: 'Took the red door.' }] },
    ],
  });
  const prompt = await at.asked(dispatch.threadId);
  expect(JSON.stringify(prompt)).toContain('Which door?');
  await saved(at, 'Which door?', 'assistant');
  await at.kill('agent');
  await at.host.prompts.answer(prompt.id, { text: 'Red' }, owner);

  expect(await at.ended(dispatch)).toMatchObject({ outcome: { summary: 'Took the red door.' } });
  const last = at.stage.simulator.modelRequests().findLast(({ decision }) => decision?.from !== 'side_call');
  const told = JSON.stringify(last?.conversation);
  // The session of the fresh try: it was told the first answer with the work, has its own question, and its answer.
  for (const words of ['Answer: Left', 'AskUserQuestion', 'Red']) expect(told).toContain(words);
});
