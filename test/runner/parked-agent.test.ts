import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RecordedRequest } from '../../src/simulator/index.js';
import { openStage, type Stage } from '../harness/stage.js';
import { waitUntil } from '../harness/wait-until.js';
import { Driver } from './driver.js';
import { socketArguments, WorkerLink } from './worker-link.js';

let stage: Stage;
let count = 0;

beforeAll(async () => {
  stage = await openStage('claude');
  mkdirSync(join(stage.home, 'parked'));
  // A repository of its own: the sandbox of a Codex that runs beside this makes /tmp/.git for moments, and Claude looks upwards.
  execFileSync('git', ['init', '-q', '-b', 'main', stage.workspace]);
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const posture = ['--no-project-code', '--setting-sources', 'user,project'];

/** A spare runner that is ready, and the agent that it keeps, where it keeps one. */
async function spare(args: readonly string[] = ['--park', '--cwd', join(stage.home, 'parked'), ...posture]) {
  count += 1;
  const waiting = join(stage.home, 'sockets', `spare-${count}.sock`);
  const driver = new Driver(stage, { args: ['--spare', ...socketArguments(waiting), ...args] });
  onTestFinished(async () => await driver[Symbol.asyncDispose]());
  const link = await WorkerLink.open(waiting);
  const agents = async () => (await driver.processes('--await-claim')).map(({ pid }) => pid);
  return { driver, link, agents };
}

/** Makes a run of a spare, gives it this message, and waits until its turn is over. */
async function launched(
  { link }: Awaited<ReturnType<typeof spare>>,
  content: string,
  args: readonly string[] = posture,
) {
  const spool = join(stage.home, 'runs', `run_${String(count).padStart(26, '0')}`);
  const socket = join(stage.home, 'sockets', `${count}.sock`);
  const all = ['--cwd', stage.workspace, ...socketArguments(socket), '--spool', spool, ...args];
  link.launch({ runId: basename(spool), spool, posture: {}, args: all });
  await link.next('launched');
  const run = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 1 });
  run.send({ type: 'message', content, commandId: 'c1' });
  return run;
}

async function ended(run: WorkerLink, driver: Driver): Promise<void> {
  await run.next('turn_complete');
  run.send({ type: 'stop', commandId: 'c9' });
  expect((await driver.exited).code).toBe(0);
  await waitUntil('nothing of it is left', async () => (await driver.processes()).length === 0);
}

/** What the model was sent while this ran, without what is new in every session. */
async function requestsOf(act: () => Promise<void>): Promise<unknown[]> {
  const before = stage.simulator.requests.length;
  await act();
  return stage.simulator.requests.slice(before).map(withoutIds);
}

const changing =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|call_sim\w+|(?:CLAUDE_PID|CLAUDE_CODE_MESSAGING_\w+|RUNNER_TEST_MARK|HANDRAISE_RUN)=[^\\]*|\d+ tokens left|(?<=plans\/text-hello-)[\w-]+/g;

function withoutIds({ path, headers, body }: RecordedRequest): unknown {
  const text = JSON.stringify({ path, headers: { ...headers, 'content-length': '' }, body });
  return JSON.parse(text.replaceAll(changing, 'ID'));
}

/** Runs that begin without an agent that waited, and with one. */
async function bothWays(
  content: string,
  { args, parked }: { readonly args: readonly string[]; readonly parked: readonly string[] },
) {
  const cold = await requestsOf(async () => {
    const plain = await spare([]);
    const run = await launched(plain, content, args);
    expect(await run.next('session_started')).not.toHaveProperty('prewarmed');
    await ended(run, plain.driver);
  });
  const warm = await requestsOf(async () => {
    const waiting = await spare(['--park', '--cwd', join(stage.home, 'parked'), ...posture, ...parked]);
    expect(await waiting.agents()).toHaveLength(1);
    const run = await launched(waiting, content, args);
    expect(await run.next('session_started'), waiting.driver.stderr).toMatchObject({
      prewarmed: true,
      cwd: stage.workspace,
    });
    await ended(run, waiting.driver);
  });
  return { cold, warm };
}

describe('an agent that waited is the one that a start would have made', () => {
  test('[arg --park] with model, mode and instructions of its own, and the same environment', async () => {
    const instructions = join(stage.home, 'instructions.md');
    writeFileSync(instructions, 'Be brief.');
    writeFileSync(join(stage.workspace, 'CLAUDE.md'), 'Use tabs.');
    const more = ['--permission-mode', 'bypassPermissions', '--model', 'claude-opus-4-5'];
    const { cold, warm } = await bothWays('[[tool Bash {"command":"env | sort; pwd; ulimit -a"}]]', {
      args: [...posture, ...more, '--instructions-file', instructions],
      parked: [],
    });
    rmSync(join(stage.workspace, 'CLAUDE.md'));
    expect(JSON.stringify(cold)).toMatch(/Use tabs.*Be brief/);
    expect(warm).toEqual(cold);
  });

  test.for([
    ['in plan mode', 'plan', []],
    ['in the mode that asks, with fewer tools', 'default', ['--tool-preset', 'no-bash']],
    ['with a result of a certain form', 'acceptEdits', ['--structured-output', '{"type":"object"}']],
  ] as const)('%s', { tags: ['full'] }, async ([, mode, parked]) => {
    const args = [...posture, '--permission-mode', mode, ...parked];
    const { cold, warm } = await bothWays('[[text hello]]', { args, parked });
    expect(cold).not.toEqual([]);
    expect(warm).toEqual(cold);
  });

  test('its questions and its own tools find the session that took it', async () => {
    const waiting = await spare();
    const run = await launched(
      waiting,
      '[[tool mcp__handraise__get_session_status {}]] [[next]] [[ask Which? | A | B]] [[next]] [[text Fine.]]',
    );
    const question = await run.next('user_question_request');
    const answers = { 'Which?': 'B' };
    const questionRequestId = question['requestId'];
    run.send({ type: 'user_question_response', questionRequestId, answers, commandId: 'c2' });
    await ended(run, waiting.driver);
    expect(run.frames.find(({ type }) => type === 'session_started')).toMatchObject({ prewarmed: true });
    const results = run.frames.filter(({ type }) => type === 'tool_end').map(({ summary }) => summary);
    expect(JSON.stringify(results)).toContain(JSON.stringify(stage.workspace).slice(1, -1));
    expect(JSON.stringify(stage.simulator.requests.at(-1)?.body)).toContain('B');
  });
});

describe('where it cannot be had, the run starts as ever and nothing is lost:', () => {
  const refusals: readonly [
    string,
    string,
    (at: Awaited<ReturnType<typeof spare>>) => Promise<readonly string[]> | readonly string[],
  ][] = [
    ['another posture', 'another posture', () => [...posture, '--tool-preset', 'read-only']],
    [
      'other settings of the user',
      'configuration of Claude Code has changed',
      () => {
        mkdirSync(join(stage.env['CLAUDE_CONFIG_DIR'] ?? '', 'agents'), { recursive: true });
        writeFileSync(join(stage.env['CLAUDE_CONFIG_DIR'] ?? '', 'agents', `${count}.md`), 'An agent.');
        return posture;
      },
    ],
  ];
  test.for(refusals)('%s', { tags: ['full'] }, async ([, why, spoil]) => {
    const waiting = await spare();
    const agents = await waiting.agents();
    expect(agents).toHaveLength(1);
    const run = await launched(waiting, '[[text Still here.]]', await spoil(waiting));
    expect(await run.next('session_started')).toMatchObject({ prewarmed: false });
    expect(await run.next('assistant_text')).toMatchObject({ content: 'Still here.' });
    expect(waiting.driver.stderr).toMatch(new RegExp(`The agent that waited is not used: .*${why}`));
    expect(await waiting.agents()).toEqual([]);
    await ended(run, waiting.driver);
  });

  test('it has died', async () => {
    const waiting = await spare();
    for (const pid of await waiting.agents()) process.kill(pid, 'SIGKILL');
    await waitUntil('it is gone', async () => (await waiting.agents()).length === 0);
    const run = await launched(waiting, '[[text Still here.]]');
    expect(await run.next('session_started')).toMatchObject({ prewarmed: false });
    expect(await run.next('assistant_text')).toMatchObject({ content: 'Still here.' });
    await ended(run, waiting.driver);
  });

  test('Claude Code refuses the claim', { tags: ['full'] }, async () => {
    const settings = join(stage.env['CLAUDE_CONFIG_DIR'] ?? '', 'settings.json');
    writeFileSync(settings, JSON.stringify({ availableModels: ['claude-sonnet-4-5'] }));
    const waiting = await spare();
    const run = await launched(waiting, '[[text Still here.]]', [...posture, '--model', 'claude-opus-4-5']);
    expect(await run.next('session_started')).toMatchObject({ prewarmed: false });
    expect(waiting.driver.stderr).toMatch(/The agent that waited is not used: option_not_applied/);
    await ended(run, waiting.driver);
    rmSync(settings);
  });
});

describe('nobody takes it', () => {
  test.for(['SIGKILL', 'SIGTERM'] as const)('a spare that gets %s leaves no process', async (signal) => {
    const { driver, agents } = await spare();
    expect(await agents()).toHaveLength(1);
    driver.signal(signal);
    await driver.exited;
    await waitUntil('its agent is gone too', async () => (await driver.processes()).length === 0);
  });

  test('a launch that cannot work ends the runner and the agent', { tags: ['full'] }, async () => {
    const waiting = await spare();
    const spool = join(stage.home, 'runs', `run_${String(count).padStart(26, '0')}`);
    const args = ['--cwd', join(stage.home, 'nowhere'), '--spool', spool];
    waiting.link.launch({ runId: basename(spool), spool, posture: {}, args });
    expect((await waiting.driver.exited).code).not.toBe(0);
    await waitUntil('nothing of it is left', async () => (await waiting.driver.processes()).length === 0);
  });
});
