import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

/** A path of this repository between backticks: it begins with a folder of ours and names a file. */
const path =
  /`((?:src|test|bench|scripts|docs|examples|bin|protocol|domain|process|runtimes|runner|store|host|http|client|simulator|cli|web)\/[\w./-]+\.(?:ts|tsx|js|md|json))`/g;

test.each(documents)('%s names only files that are there', (document) => {
  const named = [...readFileSync(join(root, document), 'utf8').matchAll(path)].map(([, file = '']) => file);
  const missing = named.filter(
    (file) => ![file, join('src', file)].some((each) => existsSync(join(root, each))),
  );
  expect(missing).toEqual([]);
});

test('every link between documents leads somewhere', () => {
  const broken = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8');
    return [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(root, document, '..', target)))
      .map((target) => `${document}: ${target}`);
  });
  expect(broken).toEqual([]);
});

test('README links every page of docs/', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const pages = readdirSync(join(root, 'docs')).filter(
    (file) => file.endsWith('.md') && file !== 'README.md',
  );
  expect(pages.filter((page) => !readme.includes(`docs/${page}`))).toEqual([]);
});
