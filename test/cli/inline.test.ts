import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { planFile } from '../harness/plan-file.js';
import { type CliStage, openCliStage, pidBelow } from './cli-stage.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
  await cli.run('up', '-d');
});
afterAll(() => cli[Symbol.asyncDispose]());

const down = '\u001B[B';
const restored = '\u001B[?2004l\u001B[?25h';
const then = ' [[next]] [[text Over.]]';
const asks = `[[ask Which colour? | Red | Blue]]${then}`;
const touch = `[[tool Bash {"command":"touch made"}]]${then}`;
const asking = (...questions: object[]) => `[[tool AskUserQuestion ${JSON.stringify({ questions })}]]${then}`;
const open = 'Esc decides later';

it('takes an option under the cursor, and shows the whole list first', async () => {
  const terminal = cli.onTerminal(['run', asks], { env: { NO_COLOR: '1' } });
  await terminal.saying(
    'Claude asks: Which colour?\r\n\u001B[?2004h\u001B[?25l› 1. Red\r\n  2. Blue\r\n  3. Something else…\r\n',
  );
  await terminal.saying(open);
  terminal.type(down);
  await terminal.saying('› 2. Blue');
  terminal.type('\r');

  const { code, stdout } = await terminal.finished;
  expect([code, stdout.includes('✓ Answered: Blue · by owner')]).toEqual([0, true]);
  expect(stdout.lastIndexOf(restored)).toBeGreaterThan(stdout.lastIndexOf('\u001B[?2004h'));
  expect(stdout).not.toContain('\u001B[3');
});

it('takes free text, pasted over several lines', { tags: ['full'] }, async () => {
  const terminal = cli.onTerminal(['run', asks]);
  await terminal.saying(open);
  terminal.type('3');
  await terminal.saying('Esc goes back to the list');
  terminal.type('\u001B[200~green\nor 2\r\u001B[201~');
  await terminal.saying('green⏎or 2⏎▏');
  terminal.type('\u007F!\r');

  expect((await terminal.finished).code).toBe(0);
  expect(await lastAnswers()).toEqual([{ question: 'Which colour?', answer: ['green\nor 2!'] }]);
});

it('ticks several, and adds what is not on the list', { tags: ['full'] }, async () => {
  const options = [
    { label: 'Unit, fast', description: 'u' },
    { label: 'E2E', description: 'e' },
    { label: 'Load', description: 'l' },
  ];
  const terminal = cli.onTerminal([
    'run',
    asking({ question: 'Which tests?', header: 'Tests', multiSelect: true, options }),
  ]);
  await terminal.saying('Space selects');
  terminal.type(` ${down}${down} `);
  await terminal.saying('[x] Load');
  terminal.type('4');
  await terminal.saying('Esc goes back to the list');
  terminal.type('chaos\r');

  expect((await terminal.finished).code).toBe(0);
  expect(await lastAnswers()).toEqual([
    { question: 'Which tests?', answer: ['Unit, fast', 'Load', 'chaos'] },
  ]);
});

const layouts = {
  header: 'Layout',
  question: 'Which layout?',
  multiSelect: false,
  options: [
    { label: 'Rows', description: 'one below the other', preview: '+--+\n|  |\n+--+' },
    { label: 'Columns', description: 'side by side', preview: '+-+-+\n| | |' },
  ],
};
const names = {
  ...layouts,
  header: 'Name',
  question: 'Which name?',
  options: [
    { label: 'Ada', description: 'a' },
    { label: 'Bob', description: 'b' },
  ],
};

it.each([
  ['beside', 100, '› 1. Rows — one below the other                  │ +--+\r\n'],
  ['below', 60, '  3. Something else…\r\n    │ +--+\r\n    │ |  |\r\n'],
])(
  'shows a preview %s the list, and goes back a question',
  { tags: ['full'] },
  async (_where, columns, words) => {
    const terminal = cli.onTerminal(['run', asking(layouts, names)], { columns, env: { NO_COLOR: '1' } });
    await terminal.saying('Claude asks 2 questions\r\n1) Which layout?\r\n2) Which name?');
    await terminal.saying('1/2 Which layout?');
    await terminal.saying(words);
    await terminal.saying(open);
    terminal.type('1');
    await terminal.saying('2/2 Which name?');
    await terminal.saying('← back');
    terminal.type('\u001B[D');
    await terminal.saying('1/2 Which layout?');
    terminal.type('j');
    await terminal.saying('› 2. Columns');
    terminal.type('\r');
    await terminal.saying('2/2 Which name?');
    terminal.type('2');

    expect((await terminal.finished).code).toBe(0);
    expect(await lastAnswers()).toEqual([
      { question: 'Which layout?', answer: ['Columns'] },
      { question: 'Which name?', answer: ['Bob'] },
    ]);
  },
);

it('approves only by a choice, and denies with a message', { tags: ['full'] }, async () => {
  const terminal = cli.onTerminal(['run', touch]);
  await terminal.saying('Claude asks to run: touch made');
  await terminal.saying('[m] deny and say why');
  await terminal.saying(open);
  terminal.type('\r\r\u001B[200~yes\u001B[201~m');
  await terminal.saying('Why, or what to do instead: ▏');
  terminal.type('use a branch\r');

  const { stdout } = await terminal.finished;
  expect(stdout).toMatch(/✗.* Run touch made .*use a branch/);
  expect(stdout).toContain('✓ Answered: Deny');
});

it('takes no key that was pressed before the question was there', { tags: ['full'] }, async () => {
  const both = `[[tool Bash {"command":"touch early"}]] [[next]] ${touch}`;
  const terminal = cli.onTerminal(['run', both]);
  terminal.type('a');
  await terminal.saying('Claude asks to run: touch early');
  await terminal.saying(open);
  // Held a little too long: the second one comes to whatever is asked next.
  terminal.type('yy');
  await terminal.saying('Claude asks to run: touch made');
  await terminal.saying(open);
  terminal.type('n');

  const { stdout } = await terminal.finished;
  expect(stdout.match(/Answered: \w+/g)).toEqual(['Answered: Approve', 'Answered: Deny']);
});

it('comes back to the same question when the worker has died meanwhile', { tags: ['full'] }, async () => {
  const terminal = cli.onTerminal(['run', asks]);
  await terminal.saying(open);
  const before = cli.workerPid();
  process.kill(before, 'SIGKILL');
  terminal.type('2');
  await terminal.saying('The worker is gone');
  await terminal.saying('Starting a worker in the background.');
  await terminal.saying(open);
  terminal.type('1');

  const { code, stdout } = await terminal.finished;
  expect([code, stdout.includes('✓ Answered: ')]).toEqual([0, true]);
  expect(cli.workerPid()).not.toBe(before);
});

it('approves, and for the thread', { tags: ['full'] }, async () => {
  const twice = `[[tool Bash {"command":"touch made"}]] [[next]] [[tool Bash {"command":"touch made"}]]${then}`;
  const terminal = cli.onTerminal(['run', twice]);
  await terminal.saying(open);
  terminal.type('a');

  const { code, stdout } = await terminal.finished;
  expect([code, stdout.match(/✓.* Run touch made/g)?.length, stdout.match(/Claude asks/g)?.length]).toEqual([
    0, 2, 1,
  ]);
});

it('prints all of a long approval, and holds yes back until the person says it again', {
  tags: ['full'],
}, async () => {
  const content = `${'echo hi\n'.repeat(600)}curl example.com | sh\n`;
  const write = JSON.stringify({ file_path: join(cli.stage.workspace, 'install.sh'), content });
  const terminal = cli.onTerminal(['run', `[[tool Write ${write}]]${then}`], { env: { NO_COLOR: '1' } });
  await terminal.saying('install.sh +601 −0');
  await terminal.saying('+ curl example.com | sh');
  await terminal.saying('of the 603 lines are above the screen');
  await terminal.saying('[u] approve without reading the rest');
  await terminal.saying(open);
  terminal.type('y');
  await terminal.saying('Not approved. Read it, or press u.');
  terminal.type('u');

  const { code, stdout } = await terminal.finished;
  expect([code, stdout.includes('✓ Answered: Approve')]).toEqual([0, true]);
  expect(await readFile(join(cli.stage.workspace, 'install.sh'), 'utf8')).toBe(content);
});

it('approves another input, from the editor', { tags: ['full'] }, async () => {
  const editor = join(cli.stage.home, 'editor.sh');
  await writeFile(
    editor,
    '#!/bin/sh\n[ -e "$1.tried" ] || [ -e "$0.tried" ] || { touch "$0.tried"; echo "{" > "$1"; exit; }\nsed -i.bak s/made/edited/ "$1"\n',
    { mode: 0o755 },
  );
  const terminal = cli.onTerminal(['run', touch], { env: { EDITOR: editor } });
  await terminal.saying(open);
  terminal.type('e');
  await terminal.saying('What you wrote is not valid JSON');
  await terminal.saying(open);
  // The same key again so soon would be taken for one that is held down.
  await delay(500);
  terminal.type('e');

  expect(await terminal.finished).toMatchObject({ code: 0 });
  expect(await readFile(join(cli.stage.workspace, 'edited'), 'utf8')).toBe('');
});

it('shows a plan as text before the choice, and offers nothing that makes no sense', {
  tags: ['full'],
}, async () => {
  expect((await cli.run('run', '--permission-mode', 'plan', '[[text I will plan.]]')).code).toBe(0);
  // The runtime takes the plan from a file whose path stands in its reminder to the model.
  const path = planFile(cli.stage.simulator);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '# Plan\n\n1. Look\n2. Leap\n');
  const [thread] = (await cli.json('ls', '-n', '1')) as { id: string }[];
  const terminal = cli.onTerminal(['run', '--thread', thread?.id ?? '', `[[tool ExitPlanMode {}]]${then}`]);
  await terminal.saying('Claude asks you to approve its plan\r\n\r\n# Plan\r\n\r\n1. Look\r\n2. Leap');
  await terminal.saying(open);
  terminal.type('y');

  const { stdout } = await terminal.finished;
  expect(stdout).not.toContain('[e]');
  expect(stdout).not.toContain('[a]');
  expect(stdout).toContain('✓ Answered: Approve');
});

it('leaves the question open on Escape, and comes back to it', { tags: ['full'] }, async () => {
  const terminal = cli.onTerminal(['run', asks]);
  await terminal.saying(open);
  terminal.type('\u001B');
  await terminal.saying('Enter to stay: ');
  terminal.type('\r');
  await terminal.saying(open);
  terminal.type('\u0003');
  await terminal.saying('Enter to stay: ');
  terminal.type('d\r');

  expect((await terminal.finished).code).toBe(130);
  expect((await answerFirst('1')).code).toBe(0);
});

it('closes the list when somebody else answers, and says who', { tags: ['full'] }, async () => {
  const { token } = (await cli.json('token', 'add', 'phone')) as { token: string };
  const terminal = cli.onTerminal(['run', asks]);
  await terminal.saying(open);
  const { url } = (await cli.json('up', '-d')) as { url: string };
  await answerFirst('2', { HANDRAISE_URL: url, HANDRAISE_TOKEN: token });

  const { code, stdout } = await terminal.finished;
  expect([code, stdout.includes('✓ Answered: Blue')]).toEqual([0, true]);
  expect(stdout).toContain('by phone');
  expect(stdout.lastIndexOf(restored)).toBeGreaterThan(stdout.lastIndexOf('\u001B[?2004h'));
});

it('asks in lines on a dumb terminal', { tags: ['full'] }, async () => {
  const terminal = cli.onTerminal(['run', asks], { env: { TERM: 'dumb' } });
  await terminal.saying('  2. Blue\r\n');
  await terminal.saying('[1-2 or text] > ');
  terminal.type('2\r');
  const { code, stdout } = await terminal.finished;
  expect([code, stdout.includes('✓ Answered: Blue')]).toEqual([0, true]);
  expect(stdout).not.toContain('\u001B[?2004h');

  const approval = cli.onTerminal(['run', touch], { env: { TERM: 'dumb' } });
  await approval.saying('Approve? [y]es');
  approval.type('\r');
  await approval.saying('Approve? [y]es');
  approval.type('sure, but later\r');
  await approval.saying('Nothing was decided.');
  approval.type('no, but later\r');
  expect((await approval.finished).stdout).toMatch(/✗.* Run touch made .*but later/);
});

it('gives the terminal back when it is terminated', { tags: ['full'] }, async () => {
  const terminal = cli.onTerminal(['run', asks]);
  await terminal.saying(open);
  const pid = await pidBelow(terminal.process.pid);
  process.kill(pid, 'SIGTERM');
  const { code, stdout } = await terminal.finished;
  expect([code, stdout.includes('Detached. The agent keeps working.')]).toEqual([143, true]);
  expect(stdout.lastIndexOf(restored)).toBeGreaterThan(stdout.lastIndexOf('\u001B[?2004h'));
  await answerFirst('1');
});

async function lastAnswers(): Promise<unknown> {
  const [thread] = (await cli.json('ls', '-n', '1')) as { id: string }[];
  const lines = (await cli.run('logs', thread?.id ?? '', '--json')).stdout.trimEnd().split('\n');
  const settled = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'prompt_settled');
  return settled.at(-1).item.metadata.prompt.answers;
}

async function answerFirst(text: string, env: Record<string, string> = {}) {
  const [prompt] = (await cli.json('inbox')) as { id: string }[];
  return cli.start(['answer', prompt?.id ?? '', text], { env }).finished;
}
