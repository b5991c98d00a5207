import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { openTestServer, request } from './test-server.js';

const file = new URL('../../docs/openapi.json', import.meta.url);

it('serves the document, and docs/openapi.json is the same but for the version', async () => {
  await using server = await openTestServer();
  const { status, body } = await request(`${server.url}/api/v1/openapi.json`);
  const stored: { info: object } = JSON.parse(readFileSync(file, 'utf8'));
  expect(status).toBe(200);
  expect(body).toEqual({ ...stored, info: { ...stored.info, version: '1.2.3' } });
});

it('is up to date, and the check bites', () => {
  const script = new URL('../../scripts/openapi.js', import.meta.url).pathname;
  execFileSync('node', [script, '--check']);

  const folder = mkdtempSync(join(tmpdir(), 'handraise-openapi-'));
  const copy = join(folder, 'openapi.json');
  expect(() => execFileSync('node', [script, '--check', copy], { stdio: 'ignore' })).toThrow();
  rmSync(folder, { recursive: true });
});

it('is clean by the rules of a stranger', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const source = readFileSync(file, 'utf8');
  const problems = await lintFromString({ source, absoluteRef: file.pathname, config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

it('describes every operation: an id of its own, a summary, a tag, and what may be refused', () => {
  const document: {
    tags: { name: string }[];
    paths: Record<
      string,
      Record<string, { operationId: string; summary: string; tags: string[]; responses: object }>
    >;
  } = JSON.parse(readFileSync(file, 'utf8'));
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const names = document.tags.map(({ name }) => name);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { summary, tags, responses } of operations) {
    expect(summary).not.toBe('');
    expect(names).toEqual(expect.arrayContaining(tags));
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['403', 'default']));
  }
});

it('describes values as they are: every exit code, not the first', () => {
  const { components } = JSON.parse(readFileSync(file, 'utf8'));
  expect(components.schemas.Outcome.properties.exitCode.enum).toEqual(
    expect.arrayContaining([0, 1, 2, 64, 130]),
  );
});
