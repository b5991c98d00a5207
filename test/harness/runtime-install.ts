import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { opencodeConfig } from './opencode-config.js';

/** The runtimes that are installed on demand; Claude Code comes with the Agent SDK. */
export type InstalledRuntime = 'codex' | 'opencode' | 'gemini' | 'claude-agent-acp' | 'codex-acp';

const root = new URL('../../', import.meta.url).pathname;
const cache = join(root, 'node_modules/.cache/handraise/runtimes');
const Pin = z.object({ dependencies: z.record(z.string(), z.string()) });

/** Installs a pinned runtime once, and gives the folder that holds its node_modules. */
export async function installRuntime(runtime: InstalledRuntime): Promise<string> {
  const pin = new URL(`runtimes/${runtime}/`, import.meta.url).pathname;
  const { dependencies } = Pin.parse(JSON.parse(await readFile(join(pin, 'package.json'), 'utf8')));
  const [version] = Object.values(dependencies);
  const installed = join(cache, `${runtime}@${version}`);
  if (existsSync(installed)) return installed;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, `.${runtime}-`));
  try {
    await copyFile(join(pin, 'package.json'), join(fresh, 'package.json'));
    await copyFile(join(pin, 'package-lock.json'), join(fresh, 'package-lock.json'));
    await inOwnHome(join(fresh, 'home'), async (env) => {
      await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund', '--engine-strict=false'], {
        cwd: fresh,
        env,
      });
      if (runtime === 'opencode') await installOpencodePlugin(fresh, { version: version ?? '', env });
    });
    // In one step, so that a run beside this one finds a whole runtime or none.
    await rename(fresh, installed);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    // Another test file, or another run, may have been faster; its install is as good as ours.
    if (!existsSync(installed)) throw error;
  }
  return installed;
}

/** What OpenCode itself installs into every home that it has not seen, in the way that it does it (see `equipOpencode`). */
async function installOpencodePlugin(
  installed: string,
  { version, env }: { readonly version: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const cwd = join(installed, opencodeConfig);
  await mkdir(cwd);
  const dependencies = { '@opencode-ai/plugin': version };
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ dependencies }));
  const install = ['install', '--no-audit', '--no-fund', '--engine-strict=false', '--ignore-scripts'];
  await promisify(execFile)('npm', install, { cwd, env });
}

/** A package may start its program to see whether it works (OpenCode does), and that writes to a home as on any other day. */
async function inOwnHome(home: string, act: (env: NodeJS.ProcessEnv) => Promise<void>): Promise<void> {
  const tmp = join(home, 'tmp');
  await mkdir(tmp, { recursive: true });
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('XDG_'));
  await act({ ...Object.fromEntries(inherited), HOME: home, TMPDIR: tmp });
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
}

/** The program of an installed runtime and the arguments that come before any other. */
export async function runtimeCommand(runtime: InstalledRuntime): Promise<[string, ...string[]]> {
  const modules = join(await installRuntime(runtime), 'node_modules');
  switch (runtime) {
    case 'codex':
      return [join(modules, codexBinary())];
    case 'opencode':
      return [join(modules, 'opencode-ai/bin/opencode.exe')];
    case 'gemini':
      return [process.execPath, join(modules, '@google/gemini-cli/bundle/gemini.js')];
    case 'claude-agent-acp':
      return [process.execPath, join(modules, '@agentclientprotocol/claude-agent-acp/dist/index.js')];
    case 'codex-acp':
      return [process.execPath, join(modules, '@agentclientprotocol/codex-acp/dist/index.js')];
    default:
      return runtime satisfies never;
  }
}

// The npm wrapper adds a Node process between us and codex that outlives a SIGKILL for a moment.
function codexBinary(): string {
  const arch = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  const system = process.platform === 'darwin' ? 'apple-darwin' : 'unknown-linux-musl';
  return `@openai/codex-${process.platform}-${process.arch}/vendor/${arch}-${system}/bin/codex`;
}
