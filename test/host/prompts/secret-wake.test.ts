// @module-tag full
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Dispatch } from '../../../src/protocol/dispatch.js';
import type { Prompt } from '../../../src/protocol/prompt.js';
import { markedProcesses } from '../../harness/process-guard.js';
import { type HostStage, openHostStage, owner, refusal } from '../host-stage.js';

const secret = 'hunter2-correct-horse';
const question = { id: 'pw', header: 'Login', question: 'The password?', isSecret: true };
const options = [
  { label: 'None', description: 'There is none.' },
  { label: 'Ask later', description: 'Go on without it.' },
];
const asks = { tool: 'request_user_input', input: { questions: [{ ...question, options }] } };
const asksElse = {
  tool: 'request_user_input',
  input: { questions: [{ ...question, question: 'The other password?', options }] },
};
const says = (text: string) => ({ blocks: [{ text }] });

/** Codex, which can ask for secrets, has asked for one. */
async function asked(): Promise<{
  readonly at: HostStage;
  readonly dispatch: Dispatch;
  readonly prompt: Prompt;
}> {
  const at = await openHostStage({}, 'codex');
  at.stage.simulator.setScript({ replies: [{ blocks: [asks] }, says('I am in.')] });
  const dispatch = await at.work('Log in.');
  return { at, dispatch, prompt: await at.asked(dispatch.threadId) };
}

/** Its process is gone, killed or let go for other work in its workspace. */
async function gone(how: 'killed' | 'parked') {
  const stage = await asked();
  const { at, dispatch, prompt } = stage;
  if (how === 'killed') await at.kill('agent');
  else {
    at.stage.simulator.setScript({ replies: [says('Meanwhile.')] });
    const { workspace } = await at.thread(dispatch.threadId);
    await at.done('Something else.', { workspace: { path: workspace.path } });
  }
  await at.thread(dispatch.threadId, ({ status }) => status.state === 'question' && !status.held);
  expect(await at.prompt(prompt)).toEqual(prompt);
  return stage;
}

/** Where a word stands: the files of the home and of the workspaces, all that the host tells, and what runs. */
async function tellsAnywhere({ at, dispatch }: { readonly at: HostStage; readonly dispatch: Dispatch }) {
  const { threadId } = dispatch;
  const { path } = (await at.thread(threadId)).workspace;
  const told = [
    await at.events(threadId),
    await at.host.threads.items(threadId, {}),
    await at.thread(threadId),
    (await at.host.prompts.list({ threadId })).rows,
    at.log,
    await markedProcesses(at.stage.mark),
  ];
  return [
    ...[at.home, path].flatMap(filesWithSecret),
    ...told.filter((part) => JSON.stringify(part).includes(secret)),
  ];
}

function filesWithSecret(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(secret));
}

const given = `{"answers":{"pw":{"answers":["user_note: ${secret}"]}}}`;

describe('a secret for an agent that is gone', () => {
  test.each(['killed', 'parked'] as const)(
    'wakes the one that was %s, and goes into the call that asks again',
    async (how) => {
      const stage = await gone(how);
      const { at, dispatch, prompt } = stage;
      at.stage.simulator.setScript({ replies: [{ blocks: [asks] }, says('I am in.')] });
      const kept = await at.host.prompts.answer(prompt.id, { text: secret }, owner);
      expect(kept).toEqual({ ...prompt, secretFrom: owner });
      expect(await tellsAnywhere(stage)).toEqual([]);
      const ended = await at.ended(dispatch);
      expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'I am in.' });
      expect(at.toolResults().at(-1)).toBe(given);
      expect(at.modelHeard('It is a secret').at(-1)).toContain('"question": "The password?"');
      expect(await at.prompt(prompt)).toMatchObject({
        state: 'answered',
        actor: owner,
        deliveredAt: expect.any(String),
      });
      expect((await at.events(dispatch.threadId, 'prompt_asked')).length).toBe(1);
      expect(await at.events(dispatch.threadId, 'prompt_settled')).toMatchObject([
        { item: { content: [{ text: '✓ Answered: ••••••' }] } },
      ]);
      expect(await tellsAnywhere(stage)).toEqual([]);
    },
  );

  test('is given once: nobody else can answer meanwhile, and to cancel takes it back', async () => {
    const { at, dispatch, prompt } = await gone('killed');
    // The agent thinks until it is told what to say.
    at.stage.simulator.setScript({ replies: [{ delayMs: 60_000, blocks: [{ text: 'Late.' }] }] });
    await at.host.prompts.answer(prompt.id, { text: secret }, owner);
    const second = await refusal(at.host.prompts.answer(prompt.id, { text: 'other' }, 'user:two'));
    expect(second.code).toBe('prompt_settled');
    expect(second.message).toContain(owner);
    await at.host.prompts.cancel(prompt.id, { actor: owner });
    expect(await at.prompt(prompt)).toMatchObject({ state: 'cancelled' });
    await at.host.dispatches.cancel(dispatch.id, owner);
  });

  test('is not given to a question that is not the same, and ends with a sentence when the agent goes on', async () => {
    const stage = await gone('killed');
    const { at, dispatch, prompt } = stage;
    at.stage.simulator.setScript({ replies: [{ blocks: [asksElse] }, says('Without it.')] });
    await at.host.prompts.answer(prompt.id, { text: secret }, owner);
    const other = (await at.prompts(dispatch.threadId, 2)).find(({ id }) => id !== prompt.id);
    expect(other?.questions[0]?.question).toBe('The other password?');
    await at.host.prompts.answer(other?.id ?? prompt.id, { text: 'None' }, owner);
    await at.ended(dispatch);
    expect(at.toolResults().at(-1)).toBe('{"answers":{"pw":{"answers":["None"]}}}');
    expect(await at.prompt(prompt)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('went on without asking for this again'),
    });
    expect(await tellsAnywhere(stage)).toEqual([]);
  });

  test('is forgotten by a worker that stops; the prompt is open, and says so', async () => {
    const stage = await gone('killed');
    const { at, dispatch, prompt } = stage;
    at.stage.simulator.setScript({ replies: [{ delayMs: 3000, blocks: [asks] }, says('I am in.')] });
    await at.host.prompts.answer(prompt.id, { text: secret }, owner);
    await at.firstEvent(dispatch.threadId, 'run_started', ({ resumes }) => resumes === true);
    await at.leave();
    await at.open();
    const open = await at.prompt(prompt);
    expect(open).not.toHaveProperty('secretFrom');
    expect(open).toMatchObject({ state: 'pending', active: true });
    expect(await at.events(dispatch.threadId, 'notice')).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('has to be given again') }),
    );
    expect(await tellsAnywhere(stage)).toEqual([]);
    await at.host.prompts.answer(prompt.id, { text: secret }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'I am in.' });
    expect(at.toolResults().at(-1)).toBe(given);
  });
});

test('an agent that dies with a secret it was given is told to ask again, and is never given it twice', async () => {
  const { at, dispatch, prompt } = await asked();
  // It does not read what it is given.
  for (const { pid, command } of await markedProcesses(at.stage.mark))
    if (command.includes('codex app-server')) process.kill(pid, 'SIGSTOP');
  const answered = await at.host.prompts.answer(prompt.id, { text: secret }, owner);
  expect(answered).toMatchObject({ state: 'answered', acceptedAt: expect.any(String) });
  at.stage.simulator.setScript({ replies: [{ blocks: [asks] }, says('I am in.')] });
  await at.kill('agent');
  const again = await at.asked(dispatch.threadId, [prompt]);
  expect(at.modelHeard('ask again if you still need it').length).toBeGreaterThan(0);
  await at.host.prompts.answer(again.id, { text: secret }, owner);
  expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'I am in.' });
});
