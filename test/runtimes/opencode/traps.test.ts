// @module-tag full
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOpencodeSession } from '../../../src/runtimes/opencode/saved-session.js';
import { killProcess } from '../../harness/kill-process.js';
import type { Stage } from '../../harness/stage.js';
import type { Driver } from '../../runner/driver.js';
import { tool } from '../../runner/prompting.js';
import { first, only, textOf } from '../../runner/stable.js';
import { configureOpencode, driveOpencode, opencodeShell, openOpencodeStage } from './opencode-driver.js';

const asking = ['--permission-mode', 'default'];
const isThere = (stage: Stage, name: string) => existsSync(join(stage.workspace, name));
const lastResult = (stage: Stage) => stage.simulator.toolResults().at(-1)?.text;

async function approve(runner: Driver, response: object = { approved: true }) {
  const request = await runner.next('permission_request');
  runner.send({ type: 'permission_response', permissionRequestId: request.requestId, ...response });
  return request;
}

function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

describe('an approval of OpenCode', () => {
  it('that is open when its turn is interrupted never runs, also as the first of its server', async () => {
    await using stage = await openOpencodeStage();
    await using runner = driveOpencode(stage, { args: asking });
    for (const name of ['one', 'two', 'three']) {
      runner.message(`${opencodeShell(`touch ${name}`)} [[next]] [[text never]]`);
      const { requestId } = await runner.next('permission_request');
      runner.send({ type: 'interrupt' });
      const ended = await runner.until('turn_complete');
      expect(first(ended, 'result')).toMatchObject({ success: false, errorKind: 'interrupted' });
      runner.send({ type: 'permission_response', permissionRequestId: requestId, approved: true });
      expect(await runner.next('command_error')).toMatchObject({ requestId });
    }
    expect(textOf(await runner.turn('[[text after]]'))).toBe('after');
    expect(['one', 'two', 'three'].map((name) => isThere(stage, name))).toEqual([false, false, false]);
  });

  it('is asked for by a sub-agent too, whose session inherits no rules', async () => {
    await using stage = await openOpencodeStage();
    await using runner = driveOpencode(stage, { args: asking });
    const child =
      '<<tool bash {"command":"touch sub","description":"x"}>> <<next>> <<text The child is done.>>';
    const call = tool('task', { description: 'd', prompt: child, subagent_type: 'general' });
    runner.message(`${call} [[next]] [[text The parent is done.]]`);
    const request = await runner.next('permission_request');
    expect([request.tool, request.input, isThere(stage, 'sub')]).toEqual([
      'Bash',
      { command: 'touch sub' },
      false,
    ]);
    expect(request.agentId).toMatch(/^ses_/);
    runner.send({ type: 'permission_response', permissionRequestId: request.requestId, approved: true });
    const turn = await runner.until('turn_complete');
    expect([textOf(turn), isThere(stage, 'sub')]).toEqual(['The parent is done.', true]);
    expect(only(runner.events, 'subagent_started')).toHaveLength(1);
    expect(only(runner.events, 'subagent_stopped')).toHaveLength(1);
  });

  it('that is refused leaves the others of its reply open, and each is told its own words', async () => {
    await using stage = await openOpencodeStage();
    await using runner = driveOpencode(stage, { args: asking });
    const fetches = ['a', 'b', 'c'].map((path) =>
      tool('webfetch', { url: `http://127.0.0.1:1/${path}`, format: 'text' }),
    );
    runner.message(`${fetches.join(' ')} [[next]] [[text Went on.]]`);
    const requests = [];
    while (requests.length < fetches.length)
      requests.push((await runner.next('permission_request')).requestId);
    const [one, two, three] = requests;
    const refuse = (permissionRequestId: unknown, message: string) =>
      runner.send({ type: 'permission_response', permissionRequestId, approved: false, message });
    refuse(one, 'Words for the first.');
    refuse(two, 'Words for the second.');
    runner.send({ type: 'permission_response', permissionRequestId: three, approved: true });
    const turn = await runner.until('turn_complete');
    expect([textOf(turn), only(turn, 'warning'), only(runner.events, 'request_withdrawn')]).toEqual([
      'Went on.',
      [],
      [],
    ]);
    expect(first(turn, 'result')).toMatchObject({ success: true });
    expect(first(turn, 'result').denials).toHaveLength(2);
    const results = stage.simulator.toolResults().map(({ text }) => text);
    const told = results.join('\n');
    for (const words of ['Words for the first.', 'Words for the second.'])
      expect(told.split(words)).toHaveLength(2);
    expect(results.at(-1)).not.toContain('reject');
  });

  it('shows the change of a file, and silence is told as silence', async () => {
    await using stage = await openOpencodeStage();
    await using runner = driveOpencode(stage, { args: asking });
    const path = join(stage.workspace, 'new.txt');
    runner.message(`${tool('write', { filePath: path, content: 'hello' })} [[next]] [[text Went on.]]`);
    const { requestId, ...request } = await runner.next('permission_request');
    expect(request).toMatchObject({
      tool: 'Write',
      input: { file_path: path, content: 'hello', diff: expect.stringContaining('+hello') },
    });
    runner.send({ type: 'withdraw', requestId, reason: 'nobody answered in time.' });
    expect(textOf(await runner.until('turn_complete'))).toBe('Went on.');
    expect(lastResult(stage)).toContain(
      'This was no rejection by the user. Nobody answered: nobody answered in time. Do not take this for a refusal or for consent.',
    );
    runner.message('[[ask Which? | A | B]] [[next]] [[text And on.]]');
    const question = await runner.next('user_question_request');
    runner.send({ type: 'withdraw', requestId: question.requestId, reason: 'nobody answered in time.' });
    const turn = await runner.until('turn_complete');
    expect([textOf(turn), only(turn, 'tool_end')]).toMatchObject(['And on.', [{ success: false }]]);
    expect(lastResult(stage)).toContain(
      'Nobody answered: nobody answered in time. Do not take this for an answer.',
    );
    expect(isThere(stage, 'new.txt')).toBe(false);
  });
});

describe('an agent that approves its own command', () => {
  it.runIf(existsSync('/proc/net/tcp'))('is noticed, and its turn is ended as an error', async () => {
    await using stage = await openOpencodeStage();
    await using runner = driveOpencode(stage, { args: asking });
    const program = new URL('../../fixtures/opencode-self-approval.js', import.meta.url).pathname;
    const starts = `${process.execPath} ${program} > /dev/null 2>&1 &`;
    runner.message(
      `${opencodeShell(starts)} [[next]] ${opencodeShell('sleep 1; touch own')} [[next]] [[slow 100]] [[deltas 600 word]]`,
    );
    await approve(runner);
    const turn = await runner.until('turn_complete');
    const message = expect.stringContaining('Another program has answered a permission');
    expect(first(turn, 'result')).toMatchObject({ success: false, errorKind: 'other', errors: [message] });
    expect(only(turn, 'warning')).toMatchObject([{ message }]);
    expect(textOf(await runner.turn('[[text after]]'))).toBe('after');
  });
});

describe('a command of OpenCode', () => {
  it('does not get the password of the server, and carries the mark by which strays are found', async () => {
    await using stage = await openOpencodeStage();
    await using runner = driveOpencode(stage);
    await runner.turn(
      `${opencodeShell('echo "p=$OPENCODE_SERVER_PASSWORD. mark=$HANDRAISE_RUN"')} [[next]] [[text Ran.]]`,
    );
    expect(lastResult(stage)).toMatch(/^p=\. mark=\d+\./);
  });

  it('whose turn is interrupted before OpenCode has heard of it never begins', async () => {
    await using stage = await openOpencodeStage();
    await using runner = driveOpencode(stage);
    await runner.next('ready');
    runner.message(`${opencodeShell('touch early')} [[next]] [[text never]]`);
    await runner.next('status_evidence');
    runner.send({ type: 'interrupt' });
    const ended = await runner.until('turn_complete');
    expect(first(ended, 'result')).toMatchObject({ success: false, errorKind: 'interrupted' });
    expect(textOf(await runner.turn('[[text after]]'))).toBe('after');
    expect(isThere(stage, 'early')).toBe(false);
  });
});

describe('a model of OpenCode', () => {
  it('that cannot be reached, or asks for an hour of patience, is not tried without end', async () => {
    await using stage = await openOpencodeStage();
    await using runner = driveOpencode(stage);
    const limited = await runner.turn('[[error 429 retry-after=3600 times=100]]');
    expect(first(limited, 'result')).toMatchObject({ success: false, errorKind: 'rate_limit' });
    expect(stage.simulator.modelRequests()).toHaveLength(1);
    const failing = await runner.turn('[[error 500 times=100]]');
    expect(first(failing, 'result')).toMatchObject({ success: false });
    expect(only(failing, 'interrupted')).toEqual([]);
    expect(textOf(await runner.turn('[[text fine]]'))).toBe('fine');

    configureOpencode(stage, (config) => {
      const { sim } = config['provider'] as { sim: { options: { baseURL: string } } };
      sim.options.baseURL = 'http://127.0.0.1:1/v1';
    });
    await using unreachable = driveOpencode(stage);
    const turn = await unreachable.turn('Hello?');
    expect(first(turn, 'result')).toMatchObject({ success: false, errorKind: 'network' });
  });

  it('that nobody has is refused with those that are there', async () => {
    await using stage = await openOpencodeStage();
    await using runner = driveOpencode(stage, { args: ['--model', 'sim/nope'] });
    const { code, last } = await runner.end();
    expect([code, first(last, 'error').message]).toEqual([
      1,
      expect.stringMatching(/knows no model sim\/nope here\. It has: .*sim\/model-a/),
    ]);
  });

  it('without any provider ends its turn with an error, and waits for no login', async () => {
    await using stage = await openOpencodeStage();
    configureOpencode(stage, (config) => {
      delete config['provider'];
    });
    await using runner = driveOpencode(stage);
    expect(first(await runner.turn('Hello?'), 'result')).toMatchObject({ success: false });
  });
});

describe('a session of OpenCode', () => {
  const uuids = [randomUUID(), randomUUID(), randomUUID()];

  it('that was saved tells which messages it has and which calls have a result', async () => {
    await using stage = await openOpencodeStage();
    await using runner = driveOpencode(stage, { args: asking });
    runner.message('[[ask Which? | A | B]] [[next]] [[text Thanks.]]', { uuid: uuids[0] });
    const asked = await runner.next('user_question_request');
    runner.send({
      type: 'user_question_response',
      questionRequestId: asked.requestId,
      answers: { 'Which?': 'A' },
    });
    const { sessionId } = first(await runner.until('turn_complete'), 'turn_complete');
    runner.message(`${opencodeShell('touch x')} [[next]] [[text never]]`, { uuid: uuids[1] });
    const open = await runner.next('permission_request');
    const [agent] = await runner.processes('opencode.exe serve');
    const run = /HANDRAISE_RUN=([^\0]+)/.exec(readFileSync(`/proc/${agent?.pid}/environ`, 'utf8'))?.[1] ?? '';
    killProcess(agent?.pid);
    await runner.end();
    const saved = await readOpencodeSession({ sessionId, env: stage.env, run });
    expect(uuids.map((uuid) => saved?.hasMessage(uuid))).toEqual([true, true, false]);
    expect([saved?.hasResult(asked.toolUseId), saved?.hasResult(open.toolUseId)]).toEqual([true, false]);
    expect(await readOpencodeSession({ sessionId: 'ses_none', env: stage.env, run })).toBeNull();
    const elsewhere = { ...stage.env, XDG_DATA_HOME: join(stage.home, 'nowhere') };
    expect(await readOpencodeSession({ sessionId, env: elsewhere, run })).toBeUndefined();
  });

  it('whose turn was aborted tells which calls were cut off', async () => {
    await using stage = await openOpencodeStage();
    await using runner = driveOpencode(stage, { args: asking });
    runner.message('[[ask Which? | A | B]] [[next]] [[ask And now? | A | B]] [[next]] [[text Thanks.]]');
    const answered = await runner.next('user_question_request');
    runner.send({
      type: 'user_question_response',
      questionRequestId: answered.requestId,
      answers: { 'Which?': 'A' },
    });
    const open = await runner.next('user_question_request');
    runner.send({ type: 'interrupt' });
    const { sessionId } = first(await runner.until('turn_complete'), 'turn_complete');
    const saved = await readOpencodeSession({ sessionId, env: stage.env, run: '' });
    const calls = [answered.toolUseId, open.toolUseId];
    expect(calls.map((call) => saved?.hasResult(call))).toEqual([true, true]);
    expect(calls.map((call) => saved?.isCutOff?.(call))).toEqual([false, true]);
  });

  it('without an OpenCode says what to install', async () => {
    await using stage = await openOpencodeStage();
    await using missing = driveOpencode(stage, { env: { HANDRAISE_OPENCODE: undefined, PATH: '/nowhere' } });
    expect([await missing.end(), missing.stderr]).toMatchObject([
      { code: 69 },
      expect.stringContaining('npm install -g opencode-ai'),
    ]);
  });

  it('that does not open says why', async () => {
    await using stage = await openOpencodeStage();
    const broken = join(stage.home, 'broken-opencode');
    writeFileSync(broken, '#!/bin/sh\necho "the disk is on fire" >&2\nexit 3\n');
    chmodSync(broken, 0o755);
    await using runner = driveOpencode(stage, { env: { HANDRAISE_OPENCODE: broken } });
    const { code, last } = await runner.end();
    expect([code, first(last, 'error').message]).toEqual([
      1,
      'The opencode process ended unexpectedly with exit code 3: the disk is on fire',
    ]);
  });
});

const plugin = (file: string) =>
  `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(file)}, 'x');\nexport const P = async () => ({});\n`;

describe('the code of a project', () => {
  it('keeps OpenCode from starting while nobody approved it, and runs once it is approved as it is', async () => {
    await using stage = await openOpencodeStage();
    const loaded = join(stage.home, 'loaded');
    const path = '.opencode/plugin/theirs.js';
    put(stage.workspace, '.git/HEAD', 'ref: refs/heads/main\n');
    put(stage.workspace, path, plugin(loaded));
    await using without = driveOpencode(stage, { args: ['--no-project-code'] });
    expect([await without.end(), without.stderr, existsSync(loaded)]).toMatchObject([
      { code: 77 },
      expect.stringContaining(path),
      false,
    ]);
    const file = join(stage.home, 'approved.json');
    writeFileSync(file, JSON.stringify({ files: [{ path, text: plugin(loaded) }] }));
    await using approved = driveOpencode(stage, { args: ['--project-code-file', file] });
    await approved.turn('[[text Fine.]]');
    expect(existsSync(loaded)).toBe(true);
  });

  it('that only instructs is told to the model as text', async () => {
    await using stage = await openOpencodeStage();
    put(stage.workspace, '.git/HEAD', 'ref: refs/heads/main\n');
    put(stage.workspace, 'AGENTS.md', 'TOP-TEXT');
    await using runner = driveOpencode(stage, { args: ['--no-project-code'] });
    await runner.turn('[[text Fine.]]');
    const sent = JSON.stringify(stage.simulator.modelRequests().at(-1)?.body);
    expect(sent.split('TOP-TEXT')).toHaveLength(2);
    expect(sent).toContain('To ask a person something');
  });
});

describe('a server of the user’s', () => {
  it('is asked about, and its tool has its name', async () => {
    await using stage = await openOpencodeStage();
    const server = new URL('../../fixtures/mcp/stdio-server.js', import.meta.url).pathname;
    const file = join(stage.home, 'servers.json');
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: { theirs: { command: process.execPath, args: [server] } } }),
    );
    await using runner = driveOpencode(stage, { args: [...asking, '--mcp-servers-file', file] });
    runner.message(`${tool('theirs_echo', { text: 'hi' })} [[next]] [[text Called.]]`);
    const request = await approve(runner);
    expect(request).toMatchObject({ tool: 'mcp__theirs__echo', input: { text: 'hi' } });
    expect(textOf(await runner.until('turn_complete'))).toBe('Called.');
  });

  it('that would ask a person is told by OpenCode that nobody can be asked', { tags: ['full'] }, async () => {
    await using stage = await openOpencodeStage();
    const server = new URL('../../fixtures/mcp/eliciting-server.js', import.meta.url).pathname;
    const file = join(stage.home, 'servers.json');
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: { el: { command: process.execPath, args: [server] } } }),
    );
    await using runner = driveOpencode(stage, { args: [...asking, '--mcp-servers-file', file] });
    const schema = { type: 'object', properties: { region: { type: 'string' } } };
    runner.message(`${tool('el_form', { message: 'Deploy?', schema })} [[next]] [[text Called.]]`);
    await approve(runner);
    const turn = await runner.until('turn_complete');
    expect(only(turn, 'user_question_request')).toEqual([]);
    expect(first(turn, 'tool_end').summary).toContain('gave up');
  });
});
