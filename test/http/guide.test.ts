import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

it('the guide names every route of the document', () => {
  const { paths }: { paths: Record<string, object> } = JSON.parse(read('openapi.json'));
  const guide = read('http-api.md');
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(routes.filter((route) => !guide.includes(`\`${route}\``))).toEqual([]);
});
