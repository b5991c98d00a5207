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

it('groups what is asked, folds what is the same, and answers it together', async () => {
  await queue('a', ['--title', 'first', asks]);
  await queue('b', ['--title', 'second', '--unanswered', 'approval=deny:3600', touch]);
  await queue('c', ['--title', 'third', asks]);

  const { stdout } = await cli.run('inbox');
  expect(
    stdout
      .replaceAll(/_\w+/g, '_ID')
      .replaceAll(/\d+s\b/g, 'TIME')
      .replaceAll(/ {2,}/g, '  '),
  ).toBe(`Approvals (1)

prompt  prm_ID
thread  thr_ID second
asked  TIME ago
deadline  in 59m TIME, then deny
agent  held: its process waits
question  ❓ Provide input:
  May the agent use Bash?
  Bash
  command: touch made
  Reply approve or deny.
answer  handraise approve prm_ID  or  handraise deny prm_ID -m "why"

Questions (2)

prompt  prm_ID
thread  thr_ID first
asked  TIME ago
agent  held: its process waits
question  ❓ Provide input:
  Which colour?
  1. Red — Red
  2. Blue — Blue
  Reply with a number, the option text, or free text.
answer  handraise answer prm_ID TEXT
the same  prm_ID  thr_ID third
  answer all 2 together with --all-like
`);

  const ids = (await cli.run('inbox', '-q')).stdout.trim().split('\n');
  const answered = await cli.run('answer', ids[0] ?? '', '2', '--all-like');
  expect(answered.stderr.replaceAll(/thr_\w+/g, 'THREAD')).toBe(
    `handraise: 2 prompts are answered\n${[ids[0], ids[2]]
      .map((id) => `handraise: ${id} of THREAD: ✓ Answered: Blue (accepted)\n`)
      .join('')}`,
  );
  expect((await cli.run('deny', ids[1] ?? '', '--all-like')).stderr).toContain('1 prompt is answered');
  expect(await cli.run('inbox')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'handraise: nobody asks anything\n',
  });
});

it('shows on a terminal that the agent has the answer, and the receipts afterwards', async () => {
  const prompt = await queue('d', [asks]);
  expect((await cli.onTerminal(['answer', prompt, '1']).finished).stdout).toMatch(
    /^handraise: prm_\w+ of thr_\w+: ✓ Answered: Red \(accepted → delivered\)\r\n$/,
  );
  await waitUntil(async () => (await cli.run('show', prompt)).stdout.includes('consumed'));
  const time = '2\\d{3}-\\d\\d-\\d\\dT[\\d:.]+Z';
  expect((await cli.run('show', prompt)).stdout).toMatch(
    new RegExp(
      `receipts +accepted ${time}\n +delivered ${time}, [\\d.]+s later\n +consumed ${time}, [\\d.]+s later\n$`,
    ),
  );
});

it('watches, and sees a question come and go', async () => {
  const terminal = cli.onTerminal(['inbox', '-w']);
  await terminal.saying('\u001B[?1049h');
  const prompt = await queue('e', ['[[ask Still there? | Yes | No]] [[next]] [[text Over.]]']);
  await terminal.saying('Still there?');
  await cli.run('answer', prompt, 'Yes');
  await terminal.saying('nobody asks anything');
  terminal.type('\u0003');
  const { code, stdout } = await terminal.finished;
  expect([code, stdout.trimEnd().endsWith('\u001B[?25h\u001B[?1049l')]).toEqual([0, true]);
});

it('applies what was said about silence', async () => {
  const denied = await cli.run('run', '--unanswered', 'approval=deny:0.5', touch);
  expect(denied.stderr).toContain('✗ Cancelled: deadline by policy:deadline');
  const chosen = await cli.run('run', '--unanswered', 'ask_user_question=default_option:0.5', asks);
  expect([chosen.code, chosen.stderr.includes('✓ Answered: Red by policy:deadline')]).toEqual([0, true]);
  expect(await cli.run('run', '--unanswered', 'approval=approve:5', 'x')).toMatchObject({ code: 64 });
});

/** Work in a folder of its own that asks at once; the id of what it asks. */
async function queue(folder: string, args: readonly string[]): Promise<string> {
  const path = join(cli.stage.home, folder);
  await mkdir(path);
  const before = new Set((await cli.run('inbox', '-q')).stdout.split('\n'));
  await cli.run('run', '-d', '-C', path, ...args);
  let asked: string | undefined;
  await waitUntil(async () => {
    asked = (await cli.run('inbox', '-q')).stdout.split('\n').find((id) => !before.has(id));
    return asked !== undefined;
  });
  return String(asked);
}
