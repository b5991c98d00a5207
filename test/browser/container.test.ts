// @module-tag full
// What docs/containers.md shows: with RECORD=1 it is written, otherwise it is compared with what happens.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { essential, stable } from '../../scripts/recording/stable.js';
import { type ContainerEngine, openEngine, whyNoEngine } from '../harness/container-engine.js';
import { ConsoleStage } from './console-stage.js';

test.runIf(whyNoEngine !== undefined)(`A container in the console (skipped: ${whyNoEngine})`, () => {});

const handbook = new URL('../../docs/containers.md', import.meta.url);
const picture = new URL('../../docs/images/out-of-memory.png', import.meta.url).pathname;
const isRecorded = process.env['RECORD'] !== undefined;
const begin = '<!-- Recorded by RECORD=1 npx vitest run test/browser/container.test.ts. -->';
const end = '<!-- End of the recording. -->';

const look = `const { get } = require('node:http');
const { existsSync, readdirSync } = require('node:fs');
const [home, worker] = process.argv.slice(2);
console.log(process.cwd(), readdirSync('.').join(' '));
for (const path of [home, '/var/run/docker.sock', '/etc/shadow'])
  console.log(path, existsSync(path) ? 'is there' : 'is not there');
const say = (what) => [(answer) => console.log(what, answer.statusCode), (error) => console.log(what, error.code)];
const [api, apiFailed] = say('the API:');
const [other, otherFailed] = say('another host:');
get(worker + '/healthz', api).on('error', apiFailed);
get({ host: '127.0.0.1', port: 4010, path: 'http://telemetry.example/' }, other).on('error', otherFailed);
`;
const fill = 'const all = [];\nfor (;;) all.push(Buffer.alloc(1e7, 1));\n';

describe.skipIf(whyNoEngine !== undefined)('a command in a container', () => {
  let engine: ContainerEngine;
  let at: ConsoleStage;
  const recorded: string[] = [];
  let env: Record<string, string>;
  let folder: string;
  beforeAll(async () => {
    engine = await openEngine();
    at = await ConsoleStage.open({ env: engine.env });
    folder = at.folder('shop');
    const programs = join(at.stage.home, 'programs');
    mkdirSync(programs);
    const program = new URL('../../bin/handraise.js', import.meta.url).pathname;
    writeFileSync(join(programs, 'handraise'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    chmodSync(join(programs, 'handraise'), 0o755);
    env = {
      ...at.stage.env,
      ...engine.env,
      PATH: `${programs}:${engine.env.PATH}`,
      HANDRAISE_HOME: at.home,
      NO_COLOR: '1',
      COLUMNS: '120',
    };
    expect(inShell(`handraise container build exec --base ${engine.base}`).code).toBe(0);
    writeFileSync(join(folder, 'look.js'), look);
    writeFileSync(join(folder, 'fill.js'), fill);
  }, 240_000);
  afterAll(async () => {
    await at[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
  });

  it('finds nothing of the machine, is ended for want of memory, and is shown so in lists and in the console', async () => {
    say('A command looks for what it should not find. It is told where to look: your home, and the API.');
    show('handraise run --container --command "node look.js $HOME $API" "Look around"');
    show('handraise logs last');
    say('Another one takes more memory than it may have.');
    const command = 'handraise run --container --retries 0 --command "node fill.js" "Fill the memory"';
    expect(show(`HANDRAISE_CONTAINER_MEMORY=128m ${command}`)).not.toBe(0);
    show('handraise ls');
    show('handraise status last');
    expect(recorded.at(-1)).toContain('Out of memory');
    compare();
  });

  it('is out of memory in the console, with the limit and what to do', async () => {
    const [thread] = (await at.client.threads.list()).threads.filter(({ title }) => title.startsWith('Fill'));
    if (!thread) throw new Error('The thread is not there.');
    const page = await at.page('/', { colorScheme: 'light', viewport: { width: 1000, height: 420 } });
    const row = page.getByRole('listitem').filter({ hasText: 'Fill the memory' });
    await row.getByText('Out of memory').first().waitFor();
    await page.goto(`${at.url}/threads/${thread.id}`);
    await page.getByRole('heading', { name: 'Fill the memory' }).waitFor();
    await page.getByText('Out of memory').first().waitFor();
    await page.getByRole('log').getByText('because memory ran out').first().waitFor();
    if (isRecorded) await page.screenshot({ path: picture });
  });

  function say(words: string): void {
    recorded.push(words);
  }

  function inShell(command: string) {
    const shell = `{ ${command}\n} 2>&1`;
    const { stdout, status } = spawnSync('sh', ['-c', shell], {
      cwd: folder,
      env: { ...env, HOME: at.stage.home, API: at.url },
      encoding: 'utf8',
    });
    return { output: stdout, code: status };
  }

  /** Runs a command as a person would type it, and keeps what it printed. */
  function show(command: string): number | null {
    const { output, code } = inShell(command);
    const exit = code === 0 ? '' : `[exit ${code}]\n`;
    recorded.push(`\`\`\`console\n$ ${command}\n${output.trimEnd()}\n${exit}\`\`\``);
    return code;
  }

  function compare(): void {
    const before = readFileSync(handbook, 'utf8');
    const [head, rest] = [before.indexOf(begin), before.indexOf(end)];
    const seen = stable(recorded.join('\n\n'), at.stage.home);
    const text = `${before.slice(0, head)}${begin}\n\n${seen}\n\n${before.slice(rest)}`;
    if (isRecorded) writeFileSync(handbook, text);
    else expect(essential(text)).toEqual(essential(before));
  }
});
