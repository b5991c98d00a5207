import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { bash } from './prompting.js';

const parent = new URL('../../examples/parent.js', import.meta.url).pathname;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

async function run(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [parent, ...args], {
    cwd: stage.workspace,
    env: stage.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

it('prints what the agent says and takes the first option where nobody can be asked', async () => {
  const { code, stdout } = await run('[[ask Which? | Red | Blue]] [[next]] [[text "One.\\n\\nTwo."]]');
  expect([code, stdout]).toEqual([0, 'One.\n\nTwo.']);
  expect(stage.simulator.toolResults().at(-1)?.text).toContain('"Which?"="Red"');
});

it('denies what nobody allowed', { tags: ['full'] }, async () => {
  const { code } = await run(
    `${bash("node -e \"require('fs').writeFileSync('made','')\"")} [[next]] [[text No.]]`,
    '--permission-mode',
    'default',
  );
  expect([code, existsSync(join(stage.workspace, 'made'))]).toEqual([0, false]);
});

it('exits with the code of a failure', { tags: ['full'] }, async () => {
  expect((await run('[[error 401 times=100]]')).code).toBe(1);
  const usage = await run('hello', '--permission-mode', 'yolo');
  expect([usage.code, usage.stderr]).toEqual([64, expect.stringContaining('--permission-mode')]);
});
