// @module-tag full
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openCliStage } from '../cli/cli-stage.js';

const example = new URL('../../examples/client.js', import.meta.url).pathname;

it('drives a real worker as the example does', async () => {
  await using cli = await openCliStage();
  await cli.run('up', '-d');
  const prompt = '[[ask Which colour? | Red | Blue]] [[next]] [[text As you wish.]]';
  const child = spawn(process.execPath, [example, prompt], {
    cwd: cli.stage.workspace,
    env: { ...cli.stage.env, HANDRAISE_HOME: cli.home },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);

  expect([code, stdout]).toEqual([0, 'As you wish.\n']);
  expect(stderr).toMatch(
    /^dsp_\w+ in thr_\w+\n❓ Provide input:\nWhich colour\?\n[^]*\n→ Red\nsucceeded, 0\.\d+ USD\n$/,
  );
});
