import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { openStage } from '../harness/stage.js';
import { demoTranscript, stable } from './demo-transcript.js';

const Line = z.object({ type: z.string() });
const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const readme = read('README.md');
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));
const blocks = Array.from(readme.matchAll(/^```(?<language>\w+)\n(?<text>[^]*?)^```$/gm), ({ groups }) => ({
  language: groups?.['language'],
  text: groups?.['text']?.trim() ?? '',
}));

test('the first two commands of the README set the package up and are scripts of it', () => {
  const [demo, tests] = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);

  expect({ demo, tests }).toEqual({ demo: 'npm ci && npm run demo', tests: 'npm ci && npm test' });
  expect(scripts).toMatchObject({
    demo: 'npm run --silent build && node bin/handraise.js demo',
    test: 'node scripts/test.js',
  });
});

test('CI runs what the README says', () => {
  const commands = read('.ci/run')
    .split('\n')
    .filter((line) => line.startsWith('npm '));

  expect(commands).toEqual(['npm ci', 'npm run --silent check']);
  expect(scripts['check']).toBe('node scripts/check.js');
  expect(read('scripts/check.js')).toContain("command: ['npm', 'test']");
  expect(read('scripts/check.js')).toContain("command: ['npm', 'run', 'test:full']");
});

test('the demo prints what the README shows', async () => {
  const shown = blocks.find(({ text }) => text.startsWith('Handraise:'))?.text ?? '';

  expect(stable(await demoTranscript())).toEqual(stable(shown));
});

test('the line that pipes a message into the runner works', async () => {
  await using stage = await openStage('claude');
  const command = blocks.find(({ text }) => text.startsWith('echo '))?.text ?? '';
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    cwd: fileURLToPath(root),
    env: stage.env,
  });
  const types = stdout
    .trim()
    .split('\n')
    .map((line) => Line.parse(JSON.parse(line)).type);

  expect([types.at(0), types.at(-1)]).toEqual(['ready', 'complete']);
  expect(types).toContain('assistant_text');
});

test.each([
  ['README.md', 'docs/'],
  ['docs/README.md', ''],
])('%s links to every page', (page, folder) => {
  const pages = readdirSync(new URL('docs/', root)).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  );
  expect(pages.filter((name) => !read(page).includes(`](${folder}${name})`))).toEqual([]);
});

test.each(['README.md', 'docs/README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'])(
  'every file that %s links to is there',
  (page) => {
    const links = Array.from(
      read(page).matchAll(/\]\((?!https?:)(?<path>[^)#]+)/g),
      ({ groups }) => groups?.['path'] ?? '',
    );

    expect(links.filter((path) => !existsSync(new URL(path, new URL(page, root))))).toEqual([]);
  },
);
