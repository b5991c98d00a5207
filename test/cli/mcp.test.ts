// `handraise mcp` as other programs have it: over stdin and stdout, with the real agent behind it.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { Client } from '../../src/client/client.js';
import { DispatchId } from '../../src/protocol/id.js';
import { type ClientOptions, connectMcp, textOf } from '../mcp/mcp-client.js';
import { type CliStage, openCliStage } from './cli-stage.js';

const program = new URL('../../bin/handraise.js', import.meta.url).pathname;

function connect(cli: CliStage, options: ClientOptions = {}) {
  const env = { ...cli.stage.env, HANDRAISE_HOME: cli.home, HANDRAISE_PORT: '0' };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    cwd: cli.stage.workspace,
    env,
  });
  return connectMcp(transport, options);
}

/** The worker, as its owner has it. */
function ownerOf(cli: CliStage): Client {
  const read = (name: string) => readFileSync(join(cli.home, name), 'utf8').trim();
  const { url } = JSON.parse(read('worker.json')) as { url: string };
  return new Client({ url, token: read('token') });
}

it('work is given, its prompt is offered to the person, and what was decided is recorded; skills fail as JSON-RPC', {
  tags: ['full'],
}, async () => {
  await using cli = await openCliStage();
  await cli.run('config', 'set', 'skills', '{"audit":"sh -c \\"echo bad; exit 65\\"","fine":"cat"}');
  const shown: string[] = [];
  await using mcp = await connect(cli, {
    person: (message) => {
      shown.push(message);
      return shown.length === 1
        ? { action: 'decline' }
        : { action: 'accept', content: { decision: 'approve' } };
    },
  });
  const text = '[[tool Bash {"command":"echo made > made.txt"}]] [[next]] [[text It is made.]]';
  const declined = await mcp.tool('dispatch', { text, seconds: 60 });
  // Nobody decided: the prompt is open still, and told.
  expect(declined.structuredContent).toMatchObject({
    state: 'waiting',
    prompts: [{ kind: 'approval', digest: expect.any(String) }],
    notes: [expect.stringContaining('still open')],
  });
  const id = String(declined.structuredContent?.['dispatch']);
  const ended = await mcp.tool('wait', { id, seconds: 60 });
  expect(ended.structuredContent).toMatchObject({ state: 'ended', result: 'succeeded', exitCode: 0 });
  expect(shown).toEqual([expect.stringContaining('made.txt'), expect.stringContaining('made.txt')]);
  expect(readFileSync(join(cli.stage.workspace, 'made.txt'), 'utf8')).toBe('made\n');
  const { prompts } = await ownerOf(cli).prompts.list({});
  expect(prompts).toMatchObject([{ state: 'answered', actor: 'user:owner' }]);
  const listed = await mcp.tool('list', {});
  expect(listed.structuredContent).toMatchObject({ work: [{ dispatch: id }] });

  const skill = (args: Record<string, unknown>) => mcp.tool('run_skill', { text: 'the page', ...args });
  await expect(skill({ skill: 'audit' })).rejects.toMatchObject({
    code: -32_000,
    message: expect.stringContaining('Skill execution failed'),
    data: {
      skill: 'audit',
      exit_code: 65,
      retriable: false,
      detail: 'The command ended with exit code 65.\nbad',
    },
  });
  await expect(skill({ skill: 'nowhere' })).rejects.toMatchObject({
    code: -32_000,
    data: { skill: 'nowhere', exit_code: 66, retriable: false },
  });
  expect((await skill({ skill: 'fine' })).structuredContent).toMatchObject({ result: 'succeeded' });
});

it('a pipeline runs once a person has approved its file, offers its approval, and fails as JSON-RPC', {
  tags: ['full'],
}, async () => {
  await using cli = await openCliStage();
  await cli.run(
    'config',
    'set',
    'skills',
    '{"audit":"sh -c \\"exit 65\\"","fine":"true","look":"sh -c \\"exit 66\\""}',
  );
  await using mcp = await connect(cli, {
    person: () => ({ action: 'accept', content: { answer1: '1' } }),
  });
  const file = join(cli.stage.workspace, 'ship.yaml');
  const run = async (last: string) => {
    const source = `name: ship\nphases:\n  look: { skill: look, continue-on-error: true }\n  gate: { approval: "Ship it?" }\n  last: { needs: gate, skill: ${last}, on-failure: end }\n`;
    writeFileSync(file, source);
    const args = { file, seconds: 120 };
    const refused = await mcp.tool('run_pipeline', args);
    expect([refused.isError, textOf(refused)]).toEqual([
      true,
      expect.stringContaining('Nobody has approved'),
    ]);
    await cli.run('config', 'trust', file, '--yes');
    return await mcp.tool('run_pipeline', args);
  };
  const done = await run('fine');
  expect(done.structuredContent).toMatchObject({ name: 'ship', state: 'ended', result: 'success' });
  const id = String(done.structuredContent?.['pipeline']);
  expect((await mcp.tool('pipeline', { id })).structuredContent).toEqual(done.structuredContent);
  await expect(run('audit')).rejects.toMatchObject({
    code: -32_000,
    // The failure of `look` was allowed, so it is not what stopped it.
    data: { skill: 'ship', exit_code: 65, retriable: false, detail: expect.stringMatching(/^last: /) },
  });
  const unknown = await mcp.tool('run_pipeline', { file, retry: 1 });
  expect(textOf(unknown)).toBe(
    'retry: There is no such argument here. Allowed: file, source, workspace, inputs, seconds.',
  );
  expect(textOf(await mcp.tool('run_pipeline', {}))).toBe('file: is missing.');
});

it('long work is a task, which outlives the program that gave it', { tags: ['full'] }, async () => {
  await using cli = await openCliStage();
  let taskId: string;
  {
    await using mcp = await connect(cli);
    const params = {
      name: 'dispatch',
      arguments: { text: '[[ask Which one? | Red | Blue]] [[next]] [[text Blue it is.]]' },
    };
    const { task } = await mcp.client.request(
      { method: 'tools/call', params: { ...params, task: { ttl: 60_000 } } },
      CreateTaskResultSchema,
    );
    expect(task).toMatchObject({ status: 'working', ttl: null });
    taskId = task.taskId;
  }
  const forms: string[] = [];
  await using mcp = await connect(cli, {
    person: (message) => {
      forms.push(message);
      return { action: 'accept', content: { answer1: '2' } };
    },
  });
  const { tasks } = await mcp.client.experimental.tasks.listTasks();
  expect(tasks.map((task) => task.taskId)).toEqual([taskId]);
  const result = await mcp.client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
  expect(result.structuredContent).toMatchObject({ result: 'succeeded', summary: 'Blue it is.' });
  expect(forms).toEqual([expect.stringContaining('Which one?')]);
  expect(await mcp.client.experimental.tasks.getTask(taskId)).toMatchObject({ status: 'completed' });
  await expect(mcp.client.experimental.tasks.cancelTask(taskId)).rejects.toMatchObject({ code: -32_602 });
});

it('Claude Code, which knows nothing else of us, gives work with it and gets the result', {
  tags: ['full'],
}, async () => {
  await using cli = await openCliStage();
  const require = createRequire(import.meta.url);
  const claude = require.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`);
  const config = join(cli.stage.home, 'mcp.json');
  const env = { HANDRAISE_HOME: cli.home, HANDRAISE_PORT: '0' };
  const handraise = { command: process.execPath, args: [program, 'mcp'], env };
  writeFileSync(config, JSON.stringify({ mcpServers: { handraise } }));
  const input = JSON.stringify({ text: '<<text The child says hello.>>', seconds: 120 });
  const { stdout } = await promisify(execFile)(
    claude,
    [
      '-p',
      `[[tool mcp__handraise__dispatch ${input}]] [[next]] [[text All done.]]`,
      '--mcp-config',
      config,
      '--strict-mcp-config',
      '--allowedTools',
      'mcp__handraise__dispatch',
    ],
    { cwd: cli.stage.workspace, env: cli.stage.env, timeout: 240_000 },
  );
  expect(stdout).toContain('All done.');
  expect(JSON.stringify(cli.stage.simulator.toolResults())).toContain('The child says hello.');
});

it('an agent of ours gives work to another one like itself: it is linked to its own, and has what it has', {
  tags: ['full'],
}, async () => {
  await using cli = await openCliStage();
  const { workspace } = cli.stage;
  mkdirSync(join(workspace, 'src'));
  writeFileSync(join(workspace, 'src/a.txt'), 'a\n');
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-qm', 'a'],
  ])
    execFileSync('git', args, { cwd: workspace });
  const { stdout } = await cli.run('token', 'add', 'helper', '--agent', '--workspace', workspace);
  const { url } = (await cli.json('up', '-d')) as { url: string };
  const owner = ownerOf(cli);
  const own = {
    command: process.execPath,
    args: [program, 'mcp'],
    env: { HANDRAISE_URL: url, HANDRAISE_TOKEN: stdout.trim() },
  };
  const child = '<<tool Bash {"command":"echo b > src/b.txt"}>> <<next>> <<text The child is done.>>';
  const input = JSON.stringify({ text: child, worktree: true, priority: 5, seconds: 120 });
  const work = await owner.dispatches.submit({
    text: `[[tool mcp__work__dispatch ${input}]] [[next]] [[tool mcp__work__answer {}]] [[next]] [[text Done.]]`,
    workspace: { path: workspace },
    permissions: 'autonomous',
    posture: { model: 'claude-opus-4-6', mcpServers: { work: own } },
  });
  const ended = await owner.dispatches.ended(work.id);
  expect(ended.outcome).toMatchObject({ result: 'succeeded' });
  const { dispatches } = await owner.dispatches.list({ parent: work.id });
  expect(dispatches).toMatchObject([
    { parent: work.id, actor: 'user:helper', priority: 5, outcome: { result: 'succeeded' } },
  ]);
  // Nobody was asked, because nobody is asked about the parent either.
  expect(await owner.prompts.open()).toEqual([]);
  const id = DispatchId.parse(dispatches[0]?.id);
  const { threadId } = await owner.dispatches.get(id);
  const { files } = await owner.threads.diff(threadId);
  expect(files.map(({ path }) => path)).toEqual(['src/b.txt']);
  const told = JSON.stringify(cli.stage.simulator.toolResults());
  expect(told).toContain('The child is done.');
  expect(told).toMatch(/mcp__work__answer|No such tool/);
});

it('what cannot be served is said in a sentence', async () => {
  await using cli = await openCliStage();
  const none = await cli.run('mcp', '--http');
  expect([none.code, none.stderr]).toEqual([69, expect.stringContaining('No worker is running')]);
  await cli.run('up', '-d');
  expect(await cli.json('mcp', '--http')).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
  });
  await using mcp = await connect(cli);
  expect(textOf(await mcp.tool('diff', { id: 'thr_01k9w00000000000000000000a' }))).toContain(
    'There is no thread',
  );
});
