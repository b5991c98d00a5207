// @module-tag full
import { expect, it } from 'vitest';
import { Client } from '../../src/client/client.js';
import { openCliStage } from './cli-stage.js';

it('tokens with scopes are made, listed, refused with the scope that is missing, and removed', async () => {
  await using cli = await openCliStage();
  for (const [args, words] of [
    [['--scope', 'write'], '"write" is no scope. The scopes are read, dispatch, answer, approve, admin.'],
    [['--scope', 'read', '--agent', '--workspace', '.'], '--agent has rights of its own'],
    [['--scope', 'read', '--approve-label', 'team=web'], '--approve-label goes with --scope approve.'],
    [['--user', 'ada@example.com'], 'Say what the user may do'],
  ] as const) {
    const refused = await cli.run('token', 'add', 'ada', ...args);
    expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining(words)]);
  }
  const reader = (await cli.run('token', 'add', 'reader', '--scope', 'read')).stdout.trim();
  const lead = ['token', 'add', 'lead', '--scope', 'answer,approve', '--approve-label', 'team=web'];
  const leads = (await cli.run(...lead)).stdout.trim();
  await cli.run('token', 'add', 'ada', '--user', 'ada@example.com', '--scope', 'dispatch');
  const { stdout } = await cli.run('token', 'ls');
  expect(stdout).toMatch(/reader +read/);
  expect(stdout).toMatch(/lead +answer,approve .*approves team=web/);
  expect(stdout).toMatch(/ada +dispatch .*user ada@example\.com/);

  const { url } = (await cli.json('up', '-d')) as { url: string };
  const env = { ...cli.env, HANDRAISE_URL: url, HANDRAISE_TOKEN: reader };
  const asReader = (...args: string[]) => cli.start(args, { env }).finished;
  const refused = await asReader('run', '-d', 'Do it');
  expect([refused.code, refused.stderr]).toEqual([
    77,
    expect.stringContaining('it needs the scope dispatch'),
  ]);
  expect((await asReader('ls')).code).toBe(0);
  const identity = {
    name: 'lead',
    scope: 'limited',
    may: ['read', 'answer', 'approve'],
    approves: ['team=web'],
  };
  expect(await new Client({ url, token: leads }).identity()).toEqual(identity);
  await cli.run('token', 'rm', 'reader');
  expect((await asReader('ls')).code).toBe(77);
});
