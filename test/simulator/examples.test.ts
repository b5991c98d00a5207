import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseScript, readScriptFile } from '../../src/simulator/index.js';

const root = new URL('../../', import.meta.url).pathname;

it.each(['review.yaml', 'outage.json'])('%s is a valid script', async (name) => {
  const { replies } = await readScriptFile(`${root}examples/simulator/${name}`);
  expect(replies.length).toBeGreaterThan(0);
});

it('library.js does what it says', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [`${root}examples/simulator/library.js`]);
  expect(stdout).toBe('Third time lucky.\nthe model was asked 3 times: 529, 529, 200\n');
});

it('the script in the documentation is valid', async () => {
  const page = await readFile(`${root}docs/simulator.md`, 'utf8');
  const yaml = /```yaml\n([^]*?)```/.exec(page)?.[1] ?? '';
  expect(parseScript(parse(yaml)).replies.length).toBe(3);
});
