import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitUntil } from '../harness/wait-until.js';
import { type CliStage, openCliStage } from './cli-stage.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
  await cli.run('up', '-d');
});
afterAll(() => cli[Symbol.asyncDispose]());

const asks = '[[ask Which colour? | Red | Blue]] [[next]] [[text Over.]]';
const touch = '[[tool Bash {"command":"touch made"}]] [[next]] [[text Over.]]';

it('groups what is asked, folds what is the same, and answers it together', { tags: ['full'] }, async () => {
  await queue('a', ['--title', 'first', asks]);
  await queue('b', ['--title', 'second', '--unanswered', 'approval=deny:3600', touch]);
  await queue('c', ['--title', 'third', asks]);

  const { stdout } = await cli.run('inbox');
  expect(
    stdout
      .replaceAll(/_\w+/g, '_ID')
      .replaceAll(/\d+ s\b/g, 'TIME')
      .replaceAll(/ {2,}/g, '  '),
  ).toBe(`Approvals (1)

prompt  prm_ID
thread  thr_ID second
asked  TIME ago
deadline  in 59 min TIME, then the agent is told that nobody answered
agent  waiting, process kept
question  Claude asks to run: touch made
answer  handraise approve prm_ID  or  handraise deny prm_ID -m "why"

Questions (2)

prompt  prm_ID
thread  thr_ID first
asked  TIME ago
agent  waiting, process kept
question  Claude asks: Which colour?
  1. Red
  2. Blue
answer  handraise answer prm_ID NUMBER or TEXT
same as  prm_ID  thr_ID third
  Answer 2 that are the same with --all-like
`);

  const ids = (await cli.run('inbox', '-q')).stdout.trim().split('\n');
  const answered = await cli.run('answer', ids[0] ?? '', '2', '--all-like');
  expect(answered.stderr.replaceAll(/thr_\w+/g, 'THREAD')).toBe(
    `handraise: Answered 2 prompts.\n${[ids[0], ids[2]]
      .map((id) => `handraise: ${id} in THREAD: ✓ Answered: Blue (accepted)\n`)
      .join('')}`,
  );
  expect((await cli.run('deny', ids[1] ?? '', '--all-like')).stderr).toContain('Answered 1 prompt.');
  expect(await cli.run('inbox')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'handraise: No agent is waiting for you.\n',
  });
});

it('shows on a terminal that the agent has the answer, and the receipts afterwards', async () => {
  const prompt = await queue('d', [asks]);
  expect((await cli.onTerminal(['answer', prompt, '1']).finished).stdout).toMatch(
    /^handraise: prm_\w+ in thr_\w+: ✓ Answered: Red \(accepted → delivered\)\r\n$/,
  );
  await waitUntil('the answer is consumed', async () =>
    (await cli.run('show', prompt)).stdout.includes('consumed'),
  );
  const time = '2\\d{3}-\\d\\d-\\d\\dT[\\d:.]+Z';
  expect((await cli.run('show', prompt)).stdout).toMatch(
    new RegExp(
      `receipts +accepted  ${time}\n +delivered ${time}, [\\d.]+ s later\n +consumed  ${time}, [\\d.]+ s later\n$`,
    ),
  );
});

it('refuses what is no answer with exit code 65, and asks again where somebody can be asked', {
  tags: ['full'],
}, async () => {
  const approval = await queue('h', [touch]);
  const refused = async (...args: string[]) => {
    const { code, stderr } = await cli.run('answer', ...args);
    return [code, stderr.trim()];
  };
  const which = `Use: handraise approve ${approval} or handraise deny ${approval}`;
  const isApproval = [65, `handraise: This is an approval: the answer is approve or deny. ${which}`];
  expect(await refused(approval, 'maybe')).toEqual(isApproval);
  expect(await refused(approval, 'okay')).toEqual(isApproval);
  expect(await refused(approval, '1')).toEqual(isApproval);

  const again = cli.onTerminal(['answer', approval, 'maybe']);
  await again.saying('This is an approval: the answer is approve or deny.');
  await again.saying('asks to run: touch made');
  await again.saying('Approve? [y]es');
  again.type('perhaps\r');
  await again.saying('Nothing was decided.');
  again.type('no\r');
  expect((await again.finished).stdout).toContain('✓ Answered: Deny');

  const question = await queue('i', [asks]);
  const instead = 'To send it as it is, use --text.';
  expect(await refused(question, '--option', '7')).toEqual([
    65,
    `handraise: The question has 2 options; 7 is not one of them. ${instead}`,
  ]);
  expect(await refused(question, '--option', '1', '--option', '2')).toEqual([
    65,
    `handraise: The question takes one option, not 2. ${instead}`,
  ]);
  const left = cli.onTerminal(['answer', question, '9']);
  await left.saying('9 is not one of them.');
  await left.saying('[1-2 or text] > ');
  left.type('\u0003');
  expect((await left.finished).code).toBe(130);
  expect((await cli.run('answer', question, '--text', '7')).stderr).toContain('✓ Answered: 7');
});

it('watches, and sees a question come and go', async () => {
  const terminal = cli.onTerminal(['inbox', '-w']);
  await terminal.saying('\u001B[?1049h');
  const prompt = await queue('e', ['[[ask Still there? | Yes | No]] [[next]] [[text Over.]]']);
  await terminal.saying('Still there?');
  await cli.run('answer', prompt, 'Yes');
  await terminal.saying('No agent is waiting for you.');
  terminal.type('\u0003');
  const { code, stdout } = await terminal.finished;
  expect([code, stdout.trimEnd().endsWith('\u001B[?25h\u001B[?1049l')]).toEqual([0, true]);
});

it('shows what was approved for a thread, and takes it back', { tags: ['full'] }, async () => {
  const prompt = await queue('g', [touch]);
  await cli.run('approve', prompt, '--thread');
  const { threadId } = (await cli.json('show', prompt)) as { threadId: string };
  const { stdout } = await cli.run('show', threadId);
  expect(stdout).toMatch(/approved for this thread by owner, \d+ s ago: Bash \{"command":"touch made"\}/);
  expect(stdout).toContain(`handraise withdraw ${prompt}`);
  expect((await cli.run('withdraw', prompt)).stderr).toBe(
    'handraise: Withdrawn. The agent has to ask again.\n',
  );
  expect(await cli.json('show', threadId)).toMatchObject({ grants: [] });
  expect((await cli.run('withdraw', prompt)).code).not.toBe(0);
});

it('applies what was said about silence', { tags: ['full'] }, async () => {
  const denied = await cli.run('run', '--unanswered', 'approval=deny:0.5', touch);
  expect(denied.stderr).toContain('✗ Cancelled: nobody answered in time · by the deadline');
  const chosen = await cli.run('run', '--unanswered', 'ask_user_question=default_option:0.5', asks);
  expect([chosen.code, chosen.stderr.includes('✓ Answered: Red · by the deadline')]).toEqual([0, true]);
  expect(await cli.run('run', '--unanswered', 'approval=approve:5', 'x')).toMatchObject({ code: 64 });
});

/** Work in a folder of its own that asks at once; the id of what it asks. */
async function queue(folder: string, args: readonly string[]): Promise<string> {
  const path = join(cli.stage.home, folder);
  await mkdir(path);
  const before = new Set((await cli.run('inbox', '-q')).stdout.split('\n'));
  await cli.run('run', '-d', '-C', path, ...args);
  let asked: string | undefined;
  await waitUntil('there is a new prompt', async () => {
    asked = (await cli.run('inbox', '-q')).stdout.split('\n').find((id) => !before.has(id));
    return asked !== undefined;
  });
  return String(asked);
}
