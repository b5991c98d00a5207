// A real Codex and a real OpenCode server, as people start them; only their model is scripted.
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { killProcess } from '../../harness/kill-process.js';
import { waitUntil } from '../../harness/wait-until.js';
import { TerminalStage } from '../attach/terminal-stage.js';
import { Sights } from './sights.js';

test('a Codex that was started by hand is seen by its rollout, and so is that it was killed', {
  tags: ['full'],
}, async () => {
  await using stage = await TerminalStage.open('codex');
  const { cli } = stage;
  const program = [cli.stage.env['HANDRAISE_CODEX'] ?? '', '--disable', 'daemon_auto_start'];
  const terminal = stage.openIn([], { columns: 120, rows: 40, program });
  await terminal.saying('Codex');
  await cli.run('observe');
  await using sights = new Sights(cli);
  await stage.typed(terminal, '[[tool exec_command {"cmd":"sleep 2"}]] [[next]] [[text Done.]]');
  const busy = await sights.until('busy');
  expect(busy).toMatchObject({
    id: expect.stringMatching(/^codex-\d+-\d+$/),
    runtime: 'codex',
    sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    workspace: cli.stage.workspace,
    title: expect.stringContaining('[[tool exec_command'),
    status: { why: 'the agent works on a turn', source: 'codex.rollout', confidence: 'strong' },
  });
  await sights.until('idle');
  await stage.typed(terminal, '[[delay 600000]] [[text Never.]]');
  await sights.until('busy');
  killProcess(busy.pid);
  await sights.until('crashed');
  expect(sights.states.filter((state) => state !== 'gone')).toEqual(['busy', 'idle', 'busy', 'crashed']);
});

test('an OpenCode server that somebody has started is observed by its URL: busy, asking, idle, and silent', {
  tags: ['full'],
}, async () => {
  await using stage = await TerminalStage.open('opencode');
  const { cli } = stage;
  const { env, workspace } = cli.stage;
  const server = spawn(env['HANDRAISE_OPENCODE'] ?? '', ['serve', '--port', '0', '--hostname', '127.0.0.1'], {
    cwd: workspace,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await addressOf(server.stdout);
  const observer = cli.start(['observe', '--opencode', url]);
  try {
    await observer.saying('Observing.');
    await using sights = new Sights(cli);
    const post = async (path: string, body: object) =>
      await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const made = await post('/session', { title: 'Mine' });
    const session = JSON.parse(await made.text()) as { id: string };
    const words =
      '[[delay 1500]] [[ask Which colour? | Red | Blue]] [[next]] [[delay 1000]] [[text Painted.]]';
    await post(`/session/${session.id}/prompt_async`, { parts: [{ type: 'text', text: words }] });
    const asking = await sights.until('question');
    expect(asking).toMatchObject({
      runtime: 'opencode',
      sessionId: session.id,
      title: 'Mine',
      workspace,
      status: { prompt: 'Which colour?', source: 'opencode.server', confidence: 'strong' },
    });
    const open = JSON.parse(await (await fetch(`${url}/question`)).text()) as { id: string }[];
    await post(`/question/${open[0]?.id}/reply`, { answers: [['Red']] });
    await sights.until('idle');
    const states = sights.states.filter((state) => state !== 'gone');
    expect(states.slice(states.indexOf('busy'))).toEqual(['busy', 'question', 'busy', 'idle']);
    server.kill('SIGKILL');
    expect((await sights.until('unknown')).status.why).toBe('its server does not answer');
    observer.process.kill('SIGINT');
    expect(await observer.finished).toMatchObject({ code: 0 });
    await waitUntil('it is shown no more', () => sights.now.length === 0);
  } finally {
    server.kill('SIGKILL');
    observer.process.kill('SIGTERM');
  }
});

async function addressOf(stdout: NodeJS.ReadableStream): Promise<string> {
  let said = '';
  stdout.on('data', (chunk) => (said += String(chunk)));
  await waitUntil('the server listens', () => /listening on http:\S+/.test(said));
  return /listening on (http:\S+)/.exec(said)?.[1] ?? '';
}
