import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CliStage, openCliStage } from './cli-stage.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
  await cli.run('up', '-d');
});
afterAll(() => cli[Symbol.asyncDispose]());

const asks = '[[ask Which colour? | Red | Blue]] [[next]] [[text As you \u001B]0;owned\u0007wish.]]';
const green = '\u001B[32m';

it('shows progress, and strips what an agent smuggles in', async () => {
  const terminal = cli.onTerminal(['run', asks]);
  await terminal.saying('Esc decides later');
  terminal.type('2');
  const { code, stdout } = await terminal.finished;

  expect(code).toBe(0);
  expect(stdout).toContain('thinking');
  expect(stdout).toContain('✓ Answered: Blue');
  expect(stdout).toContain('As you wish.');
  expect(stdout).not.toContain('\u001B]0;');
});

it('asks what Ctrl-C means, and stays when it is told to', { tags: ['full'] }, async () => {
  const terminal = cli.onTerminal(['run', asks]);
  await terminal.saying('Esc decides later');
  terminal.type('\u0003');
  await terminal.saying('[d]etach and let it continue, [c]ancel the work, or Enter to stay: ');
  terminal.type('\r');
  await terminal.saying('Esc decides later');
  terminal.type('1');

  expect(await terminal.finished).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('✓ Answered: Red'),
  });
});

it('cancels when Ctrl-C is answered with that', { tags: ['full'] }, async () => {
  const terminal = cli.onTerminal(['run', asks]);
  await terminal.saying('Esc decides later');
  terminal.type('\u0003');
  await terminal.saying('Enter to stay: ');
  terminal.type('c\r');

  expect(await terminal.finished).toMatchObject({
    code: 130,
    stdout: expect.stringContaining('- Cancelled'),
  });
});

it('detaches on a second Ctrl-C, and notices an answer from elsewhere', { tags: ['full'] }, async () => {
  const first = cli.onTerminal(['run', asks]);
  await first.saying('Esc decides later');
  first.type('\u0003');
  await first.saying('Enter to stay: ');
  first.type('\u0003');
  expect(await first.finished).toMatchObject({
    code: 130,
    stdout: expect.stringContaining('Detached. The agent keeps working.'),
  });

  const [prompt] = (await cli.json('inbox')) as { id: string }[];
  await cli.run('answer', prompt?.id ?? '', 'Red');
  const second = cli.onTerminal(['run', asks]);
  await second.saying('Esc decides later');
  const [open] = (await cli.json('inbox')) as { id: string }[];
  await cli.run('answer', open?.id ?? '', 'Blue');
  expect(await second.finished).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('✓ Answered: Blue'),
  });
});

it('asks what Ctrl-C means while the agent works, too', { tags: ['full'] }, async () => {
  const terminal = cli.onTerminal(['run', '[[delay 4000]] [[text Late.]]']);
  await terminal.saying('thinking');
  terminal.type('\u0003');
  await terminal.saying('Enter to stay: ');
  terminal.type('d\r');
  expect(await terminal.finished).toMatchObject({ code: 130, stdout: expect.stringContaining('Detached') });

  const [thread] = (await cli.json('ls', '-n', '1')) as { id: string }[];
  expect((await cli.run('wait', thread?.id ?? '')).code).toBe(0);
});

it('draws a list again and again, in colour, and leaves the screen as it was', async () => {
  const terminal = cli.onTerminal(['ls', '-w']);
  await terminal.saying(`${green}◉ Ready to review`);
  terminal.type('\u0003');
  const { code, stdout } = await terminal.finished;

  expect(code).toBe(0);
  expect(stdout.startsWith('\u001B[?1049h')).toBe(true);
  expect(stdout.trimEnd().endsWith('\u001B[?25h\u001B[?1049l')).toBe(true);
});

it('prints no colour where none is wanted', { tags: ['full'] }, async () => {
  expect((await cli.onTerminal(['ls', '--no-color']).finished).stdout).not.toContain('\u001B');
  expect((await cli.run('ls')).stdout).not.toContain('\u001B');
  const forced = cli.start(['ls'], { env: { FORCE_COLOR: '1' } });
  expect((await forced.finished).stdout).toContain('\u001B[');
});
