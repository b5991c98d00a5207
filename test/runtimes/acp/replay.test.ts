import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sweepDeadRuns } from '../../../src/runner/stray-processes.js';
import { Replay } from '../../../src/runtimes/acp/replay.js';
import { readAcpSession } from '../../../src/runtimes/acp/saved-session.js';

const said = (text: string, messageId?: string) => ({
  sessionUpdate: 'user_message_chunk',
  content: { type: 'text', text },
  ...(messageId === undefined ? {} : { messageId }),
});
const replied = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Yes.' } };
const call = (toolCallId: string, status: string) => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  status,
  title: 'touch x',
});
const update = (toolCallId: string, status: string) => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  status,
});

function replayed(...updates: object[]): Replay {
  const replay = new Replay('s1');
  for (const each of updates) replay.take({ sessionId: 's1', update: each });
  return replay;
}

const sent = [
  { uuid: 'work', text: 'Do it.' },
  { uuid: 'go 1', text: 'Go on.' },
  { uuid: 'go 2', text: 'Go on.' },
];
const held = (replay: Replay) => sent.map(({ uuid }) => replay.hasMessage(uuid, sent));

describe('which messages a session that is told again holds', () => {
  test.each<[string, object[], boolean[]]>([
    ['none', [], [false, false, false]],
    [
      'the first, behind what its session began with',
      [said('Rules.', 'm1'), said('Do it.', 'm1')],
      [true, false, false],
    ],
    ['one in several parts without a name', [said('Do'), said(' it.'), replied], [true, false, false]],
    ['equal words once', [said('Do it.'), replied, said('Go on.')], [true, true, false]],
    [
      'equal words twice',
      [said('Do it.'), replied, said('Go on.'), replied, said('Go on.')],
      [true, true, true],
    ],
    [
      'equal words twice, told one right after the other',
      [said('Do it.', 'm1'), said('Go on.', 'm2'), said('Go on.', 'm3')],
      [true, true, true],
    ],
    ['no words that only end so', [said('Do not do it. Do it.')], [false, false, false]],
  ])('%s', (_, updates, expected) => {
    expect(held(replayed(...updates))).toEqual(expected);
  });

  test('not of a session of another name, and nothing of what is no update', () => {
    const replay = new Replay('s1');
    replay.take({ sessionId: 's2', update: said('Do it.') });
    replay.take('nonsense');
    expect([held(replay), replay.isEmpty]).toEqual([[false, false, false], true]);
  });

  test('a message that was lost and sent again is one message', () => {
    const again = [sent[0], sent[1], sent[1]].flatMap((message) => (message ? [message] : []));
    expect(replayed(said('Do it.'), replied, said('Go on.')).hasMessage('go 1', again)).toBe(true);
  });
});

describe('what came of a call', () => {
  test.each<[string, object[], { result: boolean; words: boolean; silence: boolean }]>([
    [
      'open',
      [call('c', 'pending'), update('c', 'in_progress')],
      { result: false, words: false, silence: true },
    ],
    ['done', [call('c', 'pending'), update('c', 'completed')], { result: true, words: false, silence: true }],
    ['refused', [call('c', 'failed')], { result: true, words: false, silence: false }],
    [
      'refused, and told why',
      [call('c', 'failed'), said('The person says: no.')],
      { result: true, words: true, silence: false },
    ],
    [
      'refused, and told that nobody answered',
      [call('c', 'failed'), said('Nobody answered whether Bash may be used: It is night.')],
      { result: true, words: false, silence: true },
    ],
    [
      'refused, and interrupted before it was told why',
      [call('c', 'failed'), said('[Request interrupted by user for tool use]')],
      { result: true, words: false, silence: false },
    ],
    [
      'refused, and told of another call that was refused',
      [call('c', 'failed'), said('The person says: never.')],
      { result: true, words: false, silence: false },
    ],
    [
      'refused, and other work followed',
      [call('c', 'failed'), said('Go on.')],
      { result: true, words: false, silence: false },
    ],
  ])('%s', (_, updates, expected) => {
    const replay = replayed(said('Do it.'), ...updates);
    expect({
      result: replay.hasResult('c'),
      words: replay.hasWords('c', 'says: no.', sent),
      silence: replay.hasSilence('c', sent),
    }).toEqual(expected);
  });
});

describe('an agent that is to tell its session again', () => {
  const scripted = new URL('../../fixtures/acp/scripted-agent.js', import.meta.url).pathname;

  /** What is read where the agent dies so often before it tells, and how often it was started. */
  async function read({
    behaviour,
    deaths,
    pause = 0,
  }: {
    readonly behaviour: string;
    readonly deaths: number;
    readonly pause?: number;
  }) {
    const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'replay-')));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    const [program, starts] = [join(cwd, 'agent'), join(cwd, 'starts')];
    const dying = `echo x >> ${starts}\n[ $(wc -l < ${starts}) -gt ${deaths} ] || exit 1\n`;
    const script = `#!/bin/sh\n${dying}sleep ${pause}\nexec '${process.execPath}' '${scripted}' ${behaviour}\n`;
    writeFileSync(program, script, { mode: 0o755 });
    const saved = await readAcpSession('mine', {
      sessionId: 's1',
      cwd,
      env: { PATH: process.env.PATH ?? '' },
      // That of a runner that is dead.
      run: '4000000.1',
      messages: async () => [{ uuid: 'u', text: 'Told before.' }],
      command: program,
    });
    return { saved: saved && saved.hasMessage('u'), starts: readFileSync(starts, 'utf8').length / 2 };
  }

  test('is no stray to a runner that starts meanwhile', async () => {
    const reading = read({ behaviour: 'loads', deaths: 0, pause: 1 });
    await delay(500);
    await sweepDeadRuns();
    expect(await reading).toEqual({ saved: true, starts: 1 });
  });

  test.each([
    ['is believed', { behaviour: 'loads', deaths: 0 }, { saved: true, starts: 1 }],
    [
      'is started again if it is killed meanwhile',
      { behaviour: 'loads', deaths: 1 },
      { saved: true, starts: 2 },
    ],
    ['and not without end', { behaviour: 'loads', deaths: 9 }, { saved: undefined, starts: 3 }],
    ['is not asked if it cannot', { behaviour: 'plain', deaths: 0 }, { saved: undefined, starts: 1 }],
  ])('%s', async (_, how, expected) => {
    expect(await read(how)).toEqual(expected);
  });
});
