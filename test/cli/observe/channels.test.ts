import { execFileSync } from 'node:child_process';
import { appendFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitUntil } from '../../harness/wait-until.js';
import { type CliStage, openCliStage, type Started } from '../cli-stage.js';
import { Sights } from './sights.js';

/** Observes, looks, and ends the observer. */
async function observing(
  cli: CliStage,
  args: readonly string[],
  look: (sights: Sights, observer: Started) => Promise<void>,
): Promise<void> {
  const observer = cli.start(['observe', ...args]);
  try {
    await observer.saying('Observing.');
    await using sights = new Sights(cli);
    await look(sights, observer);
    observer.process.kill('SIGINT');
    expect(await observer.finished).toMatchObject({ code: 0 });
    await waitUntil('it is shown no more', () => sights.now.length === 0);
  } finally {
    observer.process.kill('SIGKILL');
  }
}

test('an agent that tells in lines is observed by file, by pipe and by event stream', {
  tags: ['full'],
}, async () => {
  await using cli = await openCliStage();
  const file = join(cli.stage.workspace, 'turns.jsonl');
  writeFileSync(file, '{"type":"system","subtype":"init"}\nno JSON\n{"type":"assi');
  await observing(cli, ['--stream-json', file, '--title', 'Mine \u001b[31mred\u202e'], async (sights) => {
    expect(await sights.until('busy')).toMatchObject({
      runtime: 'claude',
      title: 'Mine red',
      workspace: cli.stage.workspace,
      status: { source: 'stream-json', confidence: 'strong' },
    });
    const call = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'rm -r \u202eit' } };
    appendFileSync(file, `stant"}\n${JSON.stringify({ type: 'control_request', request: call })}\n`);
    expect((await sights.until('question')).status).toMatchObject({ prompt: 'Run rm -r it?' });
    appendFileSync(file, '{"type":"result","subtype":"success"}\n');
    await sights.until('idle');
  });

  const pipe = join(cli.stage.workspace, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await observing(cli, ['--pipe', pipe, '--runtime', 'amp'], async (sights) => {
    await sights.until('initializing');
    writeFileSync(pipe, '{"status":"busy"}\n');
    expect(await sights.until('busy')).toMatchObject({ runtime: 'amp', title: 'pipe' });
    const status = await cli.run('status');
    expect([status.stdout.split('\n')[0], status.stderr]).toEqual([
      expect.stringMatching(/^OBSERVED +STATUS +RUNTIME/),
      '',
    ]);
    expect(status.stdout).toMatch(/Working +amp .*pipe/);
    writeFileSync(pipe, '{"status":"question","prompt":"Which colour?"}\n');
    expect((await sights.until('question')).status).toMatchObject({ prompt: 'Which colour?' });
    writeFileSync(pipe, '{"status":"idle"}\n');
    await sights.until('idle');
  });

  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: x\ndata: {"type":"turn.started"}\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await observing(cli, ['--sse', `http://127.0.0.1:${port}/`], async (sights) => {
    await sights.until('busy');
  });
  server.closeAllConnections();
  server.close();
});

test('the end of a process that is named is seen, and a worker that is killed hears of the agent again', {
  tags: ['full'],
}, async () => {
  await using cli = await openCliStage();
  const pipe = join(cli.stage.workspace, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const agent = cli.start(['sim', '--port', '0']);
  const observer = cli.start(['observe', '--pipe', pipe, '--pid', String(agent.process.pid)]);
  try {
    await observer.saying('Observing.');
    await using sights = new Sights(cli);
    writeFileSync(pipe, '{"status":"busy"}\n');
    await sights.until('busy');
    const pid = cli.workerPid();
    process.kill(pid, 'SIGKILL');
    await waitUntil('another worker is there', () => cli.workerPid() !== pid);
    await using again = new Sights(cli);
    await again.until('busy');
    agent.process.kill('SIGKILL');
    expect((await again.until('crashed')).pid).toBe(agent.process.pid);
    expect(await observer.finished).toMatchObject({ code: 0 });
  } finally {
    agent.process.kill('SIGKILL');
    observer.process.kill('SIGKILL');
  }
});

test('what is no file, no pipe and no address is refused in a sentence, and nothing waits', {
  tags: ['full'],
}, async () => {
  await using cli = await openCliStage();
  const { workspace } = cli.stage;
  const [pipe, file, link] = [join(workspace, 'p'), join(workspace, 'f'), join(workspace, 'l')];
  execFileSync('mkfifo', [pipe]);
  writeFileSync(file, '');
  symlinkSync(file, link);
  const refusals: [string[], string][] = [
    [['--stream-json', pipe], 'is not a file. A named pipe is observed with --pipe.'],
    [['--stream-json', link], 'is a symbolic link, and is not followed.'],
    [['--stream-json', join(workspace, 'none')], 'There is no file'],
    [['--pipe', file], 'is not a named pipe. Make one with: mkfifo'],
    [['--sse', 'file:///etc/passwd'], '--sse needs an address'],
    [['--opencode', 'nowhere'], '--opencode needs an address'],
    [['--pid', '999999999', '--pipe', pipe], 'No process has the pid 999999999.'],
    [['--pipe', pipe, '--sse', 'http://x'], 'Choose one way to observe at a time.'],
    [['--', 'ls'], 'A command is observed with: handraise observe --observable -- COMMAND'],
  ];
  for (const [args, words] of refusals) {
    const { code, stderr } = await cli.run('observe', ...args);
    expect(stderr).toContain(words);
    expect(code).not.toBe(0);
  }
});

test('any command is observed in its own terminal, weakly: busy, the bell, idle after silence, failed', {
  tags: ['full'],
}, async () => {
  await using cli = await openCliStage();
  await cli.run('observe');
  await using sights = new Sights(cli);
  const command =
    "printf '\\033]0;title\\007working\\n'; read -r a; printf '\\007Which? '; read -r b; exit 3";
  const terminal = cli.onTerminal([
    'observe',
    '--observable',
    '--idle-after',
    '1',
    '--',
    'sh',
    '-c',
    command,
  ]);
  await terminal.saying('working');
  const idle = await sights.until('idle');
  expect(idle.status).toEqual({
    state: 'idle',
    why: 'the agent has been silent for a while',
    source: 'terminal',
    confidence: 'weak',
  });
  terminal.type('go\r');
  const asking = await sights.until('question');
  expect(asking.status).toMatchObject({ why: 'the bell of its terminal rang', confidence: 'weak' });
  expect((await cli.run('ls')).stdout).toContain('the bell of its terminal rang (a guess)');
  terminal.type('blue\r');
  expect(await terminal.finished).toMatchObject({ code: 3 });
  expect((await sights.until('crashed')).status).toMatchObject({ exitCode: 3 });
  expect(sights.states.slice(sights.states.indexOf('busy')).slice(0, 2)).toEqual(['busy', 'idle']);
});
