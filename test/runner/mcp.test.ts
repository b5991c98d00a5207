import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMcpServer } from '../fixtures/mcp/http-server.js';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { tool } from './prompting.js';
import { first, only } from './stable.js';

let stage: Stage;
let remote: Awaited<ReturnType<typeof startMcpServer>>;
beforeAll(async () => {
  stage = await openStage('claude');
  remote = await startMcpServer();
});
afterAll(async () => {
  await remote[Symbol.asyncDispose]();
  await stage[Symbol.asyncDispose]();
});

const stdio = (signature: string) => ({
  command: process.execPath,
  args: [new URL('../fixtures/mcp/stdio-server.js', import.meta.url).pathname, signature],
});

async function serversFile(mcpServers: Record<string, unknown>): Promise<string> {
  const file = join(stage.home, 'servers.json');
  await writeFile(file, JSON.stringify({ mcpServers }));
  return file;
}

async function projectFile(text: string): Promise<void> {
  await writeFile(join(stage.workspace, '.mcp.json'), text);
}

async function echo(runner: Driver, server: string): Promise<string> {
  const turn = await runner.turn(`${tool(`mcp__${server}__echo`, { text: 'hi' })} [[next]] [[text ok]]`);
  return first(turn, 'tool_end').summary;
}

describe('MCP servers', () => {
  it('[arg --mcp-servers-file] [mcp stdio] [mcp sse] [mcp http] of three kinds are reached, the project’s and the user’s, the user’s first', async () => {
    await projectFile(
      JSON.stringify({
        mcpServers: {
          ours: stdio('project'),
          clash: stdio('project'),
          handraise: stdio('impostor'),
          expanded: stdio(`\${WHO:-nobody} and \${MISSING:-default}`),
        },
      }),
    );
    const file = await serversFile({
      clash: stdio('user'),
      web: { type: 'http', url: `${remote.url}/mcp`, headers: { Authorization: 'Bearer t0ken' } },
      stream: { type: 'sse', url: `${remote.url}/sse` },
      handraise: stdio('impostor'),
    });
    await using runner = new Driver(stage, {
      args: ['--mcp-servers-file', file],
      env: { WHO: 'somebody' },
    });

    expect(await echo(runner, 'ours')).toBe('project: hi');
    expect(await echo(runner, 'clash')).toBe('user: hi');
    expect(await echo(runner, 'web')).toBe('http: hi');
    expect(await echo(runner, 'stream')).toBe('sse: hi');
    expect(await echo(runner, 'expanded')).toBe('somebody and default: hi');
    expect(remote.seen.find(({ path }) => path === '/mcp')?.authorization).toBe('Bearer t0ken');

    // The built-in name cannot be taken.
    const warnings = only(runner.events, 'warning').map(({ message }) => message);
    expect(warnings).toEqual([
      expect.stringContaining('"handraise" of .mcp.json'),
      expect.stringContaining('"handraise"'),
    ]);
    const status = await runner.turn(`${tool('mcp__handraise__get_session_status')} [[next]] [[text ok]]`);
    expect(first(status, 'tool_end').success).toBe(true);
    expect(
      first(runner.events, 'init')
        .mcpServers.map(({ name }) => name)
        .toSorted(),
    ).toEqual(['clash', 'expanded', 'handraise', 'ours', 'stream', 'web']);

    runner.closeInput();
    expect((await runner.end()).code).toBe(0);
  });

  it('[command toggle_mcp_server] [command reconnect_mcp_server] [event mcp_status] change one server', {
    tags: ['full'],
  }, async () => {
    await projectFile('{}');
    const file = await serversFile({ mine: stdio('mine') });
    await using runner = new Driver(stage, { args: ['--mcp-servers-file', file] });
    await runner.turn('[[text one]]');
    const statusOf = async () => {
      const { servers } = await runner.next('mcp_status');
      const mine = servers.find((server) => (server as { name: string }).name === 'mine');
      return (mine as { status: string } | undefined)?.status;
    };
    runner.send({ type: 'toggle_mcp_server', serverName: 'mine', serverEnabled: false });
    expect(await statusOf()).toBe('disabled');
    runner.send({ type: 'toggle_mcp_server', serverName: 'mine', serverEnabled: true });
    expect(await statusOf()).toBe('connected');
    runner.send({ type: 'reconnect_mcp_server', serverName: 'mine' });
    expect(await statusOf()).toBe('connected');
    expect(await echo(runner, 'mine')).toBe('mine: hi');
    runner.send({ type: 'reconnect_mcp_server', serverName: 'nobody' });
    expect(await runner.next('command_error')).toMatchObject({ command: 'reconnect_mcp_server' });
    runner.send({ type: 'toggle_mcp_server', serverName: 'mine' });
    expect(await runner.next('command_error')).toMatchObject({ command: 'toggle_mcp_server' });
  });

  it.each(['not json', '[]', '{"mcpServers":{"x":{"url":5}}}', '{"mcpServers":[]}'])(
    '[event warning] tells a broken .mcp.json: %s',
    { tags: ['full'] },
    async (text) => {
      await projectFile(text);
      await using runner = new Driver(stage);
      const turn = await runner.turn('[[text Works all the same.]]');
      expect(only(turn, 'warning').map(({ message }) => message)).toEqual([
        expect.stringContaining('.mcp.json'),
      ]);
      expect(first(turn, 'result').success).toBe(true);
    },
  );

  it('[event warning] tells a .mcp.json that is a pipe, and does not wait for it', {
    tags: ['full'],
  }, async () => {
    const cwd = join(stage.home, 'piped');
    await mkdir(cwd);
    execFileSync('mkfifo', [join(cwd, '.mcp.json')]);
    await using runner = new Driver(stage, { args: ['--cwd', cwd] });
    const turn = await runner.turn('[[text Works all the same.]]');
    expect(only(turn, 'warning').map(({ message }) => message)).toEqual([
      expect.stringContaining('.mcp.json'),
    ]);
  });

  it('[arg --no-project-code] does not start the project’s servers', async () => {
    await projectFile(JSON.stringify({ mcpServers: { ours: stdio('project') } }));
    await using runner = new Driver(stage, { args: ['--no-project-code'] });
    const turn = await runner.turn('[[text one]]');
    expect(first(turn, 'init').mcpServers.map(({ name }) => name)).toEqual(['handraise']);
  });

  it('that cannot be started are told in [event init] or [event mcp_status], and the turn works', {
    tags: ['full'],
  }, async () => {
    await projectFile('{"mcpServers":{}}');
    const file = await serversFile({ broken: { command: 'no-such-program-anywhere' } });
    await using runner = new Driver(stage, { args: ['--mcp-servers-file', file] });
    expect(first(await runner.turn('[[text one]]'), 'result').success).toBe(true);
    runner.send({ type: 'get_mcp_status' });
    const { servers } = await runner.next('mcp_status');
    expect(servers).toContainEqual(expect.objectContaining({ name: 'broken', status: 'failed' }));
  });
});
