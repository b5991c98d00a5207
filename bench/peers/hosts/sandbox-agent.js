import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Watch } from './seen.js';

/**
 * sandbox-agent over HTTP, by its own client. It finds its Claude and its adapter in the home, and downloads nothing then.
 * @param {import('./seen.js').Place} place @returns {Promise<import('./seen.js').Host>}
 */
export async function openSandboxAgent({ env, folder, claude, peers }) {
  const modules = join(peers, 'node_modules');
  const home = join(folder, 'sandbox-agent-home');
  const bin = join(home, '.local/share/sandbox-agent/bin');
  mkdirSync(join(bin, 'agent_processes'), { recursive: true });
  symlinkSync(claude, join(bin, 'claude'));
  const adapter = join(bin, 'agent_processes/claude-acp');
  const script = join(modules, '@agentclientprotocol/claude-agent-acp/dist/index.js');
  writeFileSync(adapter, `#!/bin/sh\nexec ${process.execPath} ${script} "$@"\n`);
  chmodSync(adapter, 0o755);
  const port = await freePort();
  const server = join(folder, 'sandbox-agent');
  copyFileSync(join(modules, '@sandbox-agent/cli-linux-x64/bin/sandbox-agent'), server);
  chmodSync(server, 0o755);
  const startedAt = performance.now();
  const child = spawn(server, ['server', '--port', String(port), '--no-token', '--no-telemetry'], {
    cwd: home,
    env: {
      ...env,
      HOME: home,
      XDG_DATA_HOME: join(home, '.local/share'),
      CLAUDE_CODE_EXECUTABLE: claude,
      ...claudeConfig(env),
    },
    stdio: 'ignore',
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const { SandboxAgent } = await import(pathToFileURL(join(modules, 'sandbox-agent/dist/index.js')).href);
  const agent = await SandboxAgent.connect({ baseUrl: `http://127.0.0.1:${port}` });
  const readyMs = performance.now() - startedAt;
  return {
    pid: child.pid ?? 0,
    readyMs,
    async begin(text, cwd) {
      const watch = new Watch();
      const session = await agent.createSession({ agent: 'claude', cwd });
      const seen = await turn(session, text, watch);
      return {
        session: { turn: (next) => turn(session, next, new Watch()), close() {} },
        seen,
      };
    },
    async close() {
      await agent.dispose().catch(() => {});
      child.kill();
      await exited;
    },
  };
}

/** @param {any} session @param {string} text @param {Watch} watch */
async function turn(session, text, watch) {
  const wanted = lettersOf(text);
  const whole = new AbortController();
  const stop = session.onEvent((/** @type {any} */ { payload }) => {
    const update = payload?.params?.update;
    if (update?.sessionUpdate === 'agent_message_chunk') watch.text(update.content?.text ?? '');
    if (watch.letters >= wanted) whole.abort();
  });
  await session.prompt([{ type: 'text', text }]);
  // Its answer may come before its text.
  if (!whole.signal.aborted) await once(whole.signal, 'abort');
  stop();
  return watch.ended();
}

/** How much text a script makes: [[text hello]] or [[deltas 5000 word]]. @param {string} script */
function lettersOf(script) {
  const deltas = /^\[\[deltas (\d+) (\w+)\]\]$/.exec(script);
  if (deltas) return Number(deltas[1]) * (deltas[2]?.length ?? 0);
  return script.length - '[[text ]]'.length;
}

/** The home is another one, and Claude's own folder stays. @param {Record<string, string>} env */
function claudeConfig({ HOME = '', CLAUDE_CONFIG_DIR = join(HOME, '.claude') }) {
  return { CLAUDE_CONFIG_DIR };
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
