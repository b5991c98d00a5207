import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { waitUntil } from '../../harness/wait-until.js';

const lateReader = fileURLToPath(new URL('fixtures/late-reader.js', import.meta.url));

it('takes what has come after an escape for the rest of it, however late the program gets to read it', async () => {
  const goOn = join(await mkdtemp(join(tmpdir(), 'keys-')), 'go-on');
  const reader = spawn(process.execPath, [lateReader, goOn], { stdio: ['pipe', 'pipe', 'ignore'] });
  let said = '';
  reader.stdout.on('data', (chunk) => (said += String(chunk)));
  const closed = once(reader, 'close');
  const saying = async (words: string) =>
    await waitUntil(`it says ${words}`, () => said.split('\n').includes(words));
  await saying('ready');
  reader.stdin.write('\u001B');
  await saying('busy');
  await new Promise((resolve) => reader.stdin.write('[B', resolve));
  await writeFile(goOn, '');
  await closed;
  expect(said.trim().split('\n').at(-1)).toBe('{"kind":"down"}');
});
