// A real Claude Code in a terminal of its own, started as a person starts it; only its model is scripted.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitUntil } from '../../harness/wait-until.js';
import { TerminalStage } from '../attach/terminal-stage.js';
import { Sights } from './sights.js';

const asks = '[[delay 1500]] [[ask Which colour? | Red | Blue]] [[next]] [[delay 1500]] [[text Painted.]]';

test('a Claude Code that was started by hand is seen idle, busy, asking, busy and idle, and becomes a thread when it was left', {
  tags: ['full'],
}, async () => {
  await using stage = await TerminalStage.open();
  const { cli } = stage;
  const terminal = await stage.byHand();
  expect(await cli.run('observe')).toMatchObject({ code: 0 });
  await using sights = new Sights(cli);
  await sights.until('idle');
  await stage.typed(terminal, asks);
  const asking = await sights.untilAsked();
  expect(asking).toEqual({
    id: expect.stringMatching(/^claude-\d+-\d+$/),
    runtime: 'claude',
    pid: stage.program(),
    sessionId: stage.session(),
    workspace: cli.stage.workspace,
    title: expect.stringContaining('[[delay 1500]] [[ask Which'),
    status: {
      state: 'question',
      since: expect.any(String),
      held: true,
      prompt: 'Which colour?',
      why: 'the agent says that it waits for a person',
      source: 'claude.session_file',
      confidence: 'strong',
    },
    changedAt: expect.any(String),
  });
  const { stdout } = await cli.run('ls');
  expect(stdout).toContain('OBSERVED');
  expect(stdout).toMatch(/\? Question +claude +\d+ s +\[\[delay 1500.*“Which colour\?”/);
  terminal.type('\r');
  await sights.until('idle');
  expect(sights.states).toEqual(['idle', 'busy', 'question', 'busy', 'idle']);
  await stage.saved('Painted.');
  const sessionId = stage.session() ?? '';
  terminal.type('/exit\r');
  await terminal.finished;
  await waitUntil('it is shown no more', () => sights.now.length === 0);
  expect(await cli.run('adopt', sessionId)).toMatchObject({ code: 0 });
});

test('one that is killed with kill -9 is seen as dead, however busy its file says that it is', {
  tags: ['full'],
}, async () => {
  await using stage = await TerminalStage.open();
  const { cli } = stage;
  const terminal = await stage.byHand();
  await cli.run('observe');
  await using sights = new Sights(cli);
  await stage.typed(terminal, '[[delay 600000]] [[text Never.]]');
  await sights.until('busy');
  const pid = stage.program() ?? 0;
  const file = join(cli.stage.env['CLAUDE_CONFIG_DIR'] ?? '', 'sessions', `${pid}.json`);
  process.kill(pid, 'SIGKILL');
  const { status } = await sights.until('crashed');
  expect(status).toEqual({
    state: 'crashed',
    exitCode: null,
    why: 'its process is gone, and it has not said goodbye',
    source: 'process',
    confidence: 'strong',
  });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ status: 'busy' });
  expect(sights.states.slice(-2)).toEqual(['busy', 'crashed']);
});

test('with hooks, what it asks is known from them; they come and go without a trace', {
  tags: ['full'],
}, async () => {
  await using stage = await TerminalStage.open();
  const { cli } = stage;
  const config = cli.stage.env['CLAUDE_CONFIG_DIR'] ?? '';
  expect(await cli.run('observe', '--install-hooks')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('has the hooks now'),
  });
  await cli.run('observe', '--install-hooks');
  const terminal = await stage.byHand();
  await cli.run('observe');
  await using sights = new Sights(cli);
  await sights.until('idle');
  const news = join(config, 'handraise-observed', `${stage.program()}.json`);
  await stage.typed(terminal, '[[tool Bash {"command":"touch it"}]] [[next]] [[text Done.]]');
  const { status } = await sights.untilAsked();
  expect(status).toMatchObject({ prompt: 'Run touch it?' });
  expect(JSON.parse(readFileSync(news, 'utf8'))).toMatchObject({ hook_event_name: 'PermissionRequest' });
  expect(statSync(news).mode & 0o777).toBe(0o600);
  // The hook tells of the question some moments before it is drawn, and a key that comes too soon is lost.
  await waitUntil('the key is taken', async () => {
    if (sights.now[0]?.status.state !== 'question') return true;
    terminal.type('\r');
    await delay(500);
    return false;
  });
  await sights.until('idle');
  await waitUntil('its last hook has run', () => readFileSync(news, 'utf8').includes('"Stop"'));
  terminal.type('/exit\r');
  await terminal.finished;
  expect(() => readFileSync(news)).toThrow('ENOENT');
  expect(await cli.run('observe', '--remove-hooks')).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(join(config, 'settings.json'), 'utf8'))).not.toHaveProperty('hooks');
  expect(() => statSync(join(config, 'handraise-observed'))).toThrow('ENOENT');
});
