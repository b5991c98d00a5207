import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Watch } from './seen.js';

/**
 * claude-agent-acp over its standard input and output. Its client here is as thin as can be, which is to its advantage.
 * @param {import('./seen.js').Place} place @returns {Promise<import('./seen.js').Host>}
 */
export async function openClaudeAgentAcp({ cwd, env, claude, peers }) {
  const startedAt = performance.now();
  const program = join(peers, 'node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js');
  const child = spawn(process.execPath, [program], {
    cwd,
    env: { ...env, CLAUDE_CODE_EXECUTABLE: claude },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  /** @type {Map<string, Watch>} */
  const watches = new Map();
  /** @type {Map<number, Waiting>} */
  const open = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, method, params, result, error } = JSON.parse(line);
    const update = params?.update;
    if (method === 'session/update' && update.sessionUpdate === 'agent_message_chunk')
      watches.get(params.sessionId)?.text(update.content.text ?? '');
    if (method !== undefined) return;
    if (error) open.get(id)?.reject(new Error(`claude-agent-acp: ${error.message}`));
    else open.get(id)?.resolve(result);
  });
  let requests = 0;
  /** @param {string} method @param {object} params @returns {Promise<any>} */
  const request = async (method, params) => {
    requests += 1;
    const id = requests;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return await new Promise((resolve, reject) => open.set(id, { resolve, reject }));
  };
  await request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const readyMs = performance.now() - startedAt;
  /** @param {string} sessionId @param {string} text @param {Watch} watch */
  const turn = async (sessionId, text, watch) => {
    watches.set(sessionId, watch);
    await request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    return watch.ended();
  };
  return {
    pid: child.pid ?? 0,
    readyMs,
    async begin(text, where) {
      const watch = new Watch();
      const { sessionId } = await request('session/new', { cwd: where, mcpServers: [] });
      const seen = await turn(sessionId, text, watch);
      return { session: { turn: (next) => turn(sessionId, next, new Watch()), close() {} }, seen };
    },
    async close() {
      child.kill();
      await exited;
    },
  };
}

/** @typedef {{ resolve(value: any): void, reject(error: Error): void }} Waiting */
