import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PipelineDetail } from '../../src/protocol/pipeline.js';
import { waitUntil } from '../harness/wait-until.js';
import { type CliStage, openCliStage } from './cli-stage.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
});
afterAll(async () => await cli[Symbol.asyncDispose]());

/** A file in a folder of its own. */
function written(name: string, text: string): string {
  const folder = join(cli.stage.home, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'p.yaml'), text);
  return join(folder, 'p.yaml');
}

const shown = async (id: string) => PipelineDetail.parse(await cli.json('pipeline', 'show', id));

test('a file that is wrong is refused with line and column, exit code 65, and not even a worker is started', async () => {
  const file = written('wrong', 'phases:\n  a: { run: x, needs: b }\n  b: { run: x, needs: a }\n');
  const refused = await cli.run('pipeline', 'run', file);
  expect(refused.code).toBe(65);
  expect(refused.stderr).toContain(
    'p.yaml, line 3, column 23: These phases wait for each other: a needs b needs a. Take one of the needs away.\n    b: { run: x, needs: a }\n                        ^\n',
  );
  expect(() => cli.workerPid()).toThrow();
  expect((await cli.run('pipeline', 'show', `${file}.yaml`)).code).toBe(66);
});

test('a pipeline is approved, drawn, run to its exit code, listed; the worker is killed in it, and it goes on', async () => {
  const file = written(
    'good',
    `phases:
  first: { run: "echo first >> log; touch begun; while [ ! -e go ]; do sleep 0.1; done" }
  left: { needs: first, run: echo left >> log }
  right: { needs: first, run: "echo right >> log; exit 66", on-failure: end }
`,
  );
  const folder = join(cli.stage.home, 'good');
  expect((await cli.run('pipeline', 'show', file)).stdout).toBe(
    '  ○ first  a command\n  │\n┌ ○ left   a command\n└ ○ right  a command\n',
  );
  expect(await cli.run('pipeline', 'run', file, '-C', folder)).toMatchObject({ code: 77 });
  expect(await cli.run('config', 'trust', file, '--yes')).toMatchObject({ code: 0 });
  const running = cli.start(['pipeline', 'run', file, '-C', folder, '--json']);
  await running.saying('first  runs');
  await waitUntil('the first phase has begun', async () =>
    (await cli.run('pipeline', 'ls', '--open')).stdout.includes('runs'),
  );
  process.kill(cli.workerPid(), 'SIGKILL');
  writeFileSync(join(folder, 'go'), '');
  const { code, stdout, stderr } = await running.finished;
  expect({ code, stderr }).toMatchObject({ code: 66 });
  const pipeline = PipelineDetail.parse(JSON.parse(stdout));
  expect(pipeline).toMatchObject({ result: 'failure', exitCode: 66 });
  expect(pipeline.phases.map(({ result, tries }) => [result, tries.length])).toEqual([
    ['success', 1],
    ['success', 1],
    ['failure', 1],
  ]);
  expect((await cli.run('pipeline', 'show', pipeline.id.slice(0, 20))).stdout).toContain(
    '✗ right  failed (exit code 66)',
  );
  expect((await cli.run('pipeline', 'ls')).stdout).toContain(pipeline.id);
});

test('it is left to the worker, cancelled, and waited for', async () => {
  const file = written('gate', 'phases:\n  gate: { approval: "Go?" }\n');
  const id = (await cli.run('pipeline', 'run', file, '-d')).stdout.trim();
  await waitUntil('it asks', async () => (await shown(id)).phases[0]?.state === 'asking');
  expect((await cli.run('inbox', '--list')).stdout).toContain('Go?');
  expect(await cli.run('pipeline', 'cancel', id)).toMatchObject({ code: 0 });
  expect(await cli.run('pipeline', 'wait', id)).toMatchObject({ code: 130 });
});
