// A worker with a scripted model behind a real agent, and a browser to look at it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '../../dist/client/index.js';
import { runtimeEnvironment, startSimulator, writeRuntimeFiles } from '../../dist/simulator/index.js';
import { launchBrowser } from '../browser.js';

const program = new URL('../../bin/handraise.js', import.meta.url).pathname;

/** @param {{ script?: object, env?: Record<string, string> }} [options] */
export async function openStage({ script, env: further = {} } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'handraise-pictures-'));
  const simulator = await startSimulator(script ? { script: /** @type {any} */ (script) } : {});
  const environment = runtimeEnvironment('claude', { url: simulator.url, home });
  await writeRuntimeFiles(environment);
  const env = {
    PATH: process.env['PATH'] ?? '',
    IS_SANDBOX: '1',
    ...environment.env,
    HANDRAISE_HOME: join(home, 'handraise'),
    ...further,
  };
  const worker = spawn(process.execPath, [program, 'up', '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(worker.stdout), 'line');
  const { url } = JSON.parse(line);
  const token = readFileSync(join(env.HANDRAISE_HOME, 'token'), 'utf8').trim();
  const client = new Client({ url, token });
  const browser = await launchBrowser(home);
  return {
    home,
    url,
    client,
    simulator,
    worker,
    /**
     * A signed-in page.
     * @param {import('playwright-core').BrowserContextOptions} options
     */
    page: async (options = {}) => {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await page.goto(await client.loginLink());
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      return page;
    },
    /**
     * A folder with a repository in it.
     * @param {string} name
     */
    project: (name) => {
      const path = join(home, 'projects', name);
      mkdirSync(join(path, 'src'), { recursive: true });
      mkdirSync(join(path, 'log'));
      for (const log of ['search', 'build']) writeFileSync(join(path, 'log', `${log}.log`), '');
      const git = (/** @type {string[]} */ ...args) =>
        execFileSync('git', ['-C', path, '-c', 'user.name=you', '-c', 'user.email=you@example.com', ...args]);
      git('init', '-q', '-b', 'main');
      writeFileSync(join(path, 'README.md'), `# ${name}\n`);
      git('add', '.');
      git('commit', '-qm', 'Begin');
      return path;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      const gone = once(worker, 'exit');
      await client.shutdown({ stopAgents: true });
      await gone;
      await simulator[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
