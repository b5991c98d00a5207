import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Tokens } from '../../src/http/tokens.js';
import type { Scope } from '../../src/protocol/scope.js';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'handraise-tokens-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const now = () => Date.parse('2026-01-02T03:04:05Z');
const open = () => new Tokens({ home, now, randomBytes });
const ownerToken = () => readFileSync(join(home, 'token'), 'utf8').trim();
const known = (tokens: Tokens, bearer: string) => {
  const identity = tokens.identify(bearer);
  return identity && { name: identity.name, scope: identity.scope };
};

it('makes the token of the owner on first use: 256 bits, for this user only, and keeps it', () => {
  const tokens = open();
  const token = ownerToken();
  expect(token).toMatch(/^hrt_[A-Za-z0-9_-]{43}$/);
  expect(statSync(join(home, 'token')).mode & 0o777).toBe(0o600);
  expect(known(tokens, token)).toEqual({ name: 'owner', scope: 'full' });
  expect(known(open(), token)).toEqual({ name: 'owner', scope: 'full' });
  expect(readdirSync(home)).toEqual(['token']);
});

it('keeps no named token itself, only its digest', () => {
  const tokens = open();
  const phone = tokens.add('phone', { scope: 'full' });
  const helper = tokens.add('helper', { scope: 'agent', workspace: '/work' });
  const file = join(home, 'tokens.json');
  expect(readFileSync(file, 'utf8')).not.toContain(phone);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect([known(tokens, phone), known(tokens, helper)]).toEqual([
    { name: 'phone', scope: 'full' },
    { name: 'helper', scope: 'agent' },
  ]);
  const createdAt = '2026-01-02T03:04:05.000Z';
  expect(tokens.list()).toEqual([
    { name: 'phone', scope: 'full', createdAt },
    { name: 'helper', scope: 'agent', workspace: '/work', createdAt },
  ]);
});

it('sees at once what another process changed', () => {
  const [worker, cli] = [open(), open()];
  const old = ownerToken();
  const phone = cli.add('phone', { scope: 'full' });
  expect(known(worker, phone)).toEqual({ name: 'phone', scope: 'full' });
  const fresh = cli.rotate();
  cli.remove('phone');
  expect([known(worker, old), known(worker, phone), known(worker, fresh)]).toEqual([
    null,
    null,
    { name: 'owner', scope: 'full' },
  ]);
});

it('a token made anew under an old name is another token', () => {
  const tokens = open();
  const identity = tokens.identify(tokens.add('phone', { scope: 'full' }));
  tokens.remove('phone');
  tokens.add('phone', { scope: 'full' });
  expect(identity && tokens.holds(identity)).toBe(false);
});

it.each([['owner'], [''], ['a b'], ['../x'], ['-x'], ['x'.repeat(65)]])('refuses the name "%s"', (name) => {
  expect(() => open().add(name, { scope: 'full' })).toThrow(expect.objectContaining({ code: 'invalid' }));
});

it('refuses a name twice, and the removal of what is not there', () => {
  const tokens = open();
  tokens.add('phone', { scope: 'full' });
  expect(() => tokens.add('phone', { scope: 'agent', workspace: '/work' })).toThrow(
    expect.objectContaining({ code: 'conflict' }),
  );
  expect(() => tokens.remove('tablet')).toThrow(expect.objectContaining({ code: 'not_found' }));
  expect(readdirSync(home).toSorted()).toEqual(['token', 'tokens.json']);
});

it.each([['token'], ['tokens.json']])('refuses %s when others can read it, and says what to do', (file) => {
  open().add('phone', { scope: 'full' });
  chmodSync(join(home, file), 0o640);
  expect(open).toThrow(
    expect.objectContaining({
      code: 'config',
      message: expect.stringContaining(`chmod 600 ${join(home, file)}`),
    }),
  );
});

it('refuses a damaged file', () => {
  open();
  writeFileSync(join(home, 'tokens.json'), '{"tokens":[{}]}', { mode: 0o600 });
  expect(open).toThrow(expect.objectContaining({ code: 'config' }));
});

it('changes one after the other; what a dead process left does not block for ever', () => {
  const tokens = open();
  const lock = join(home, 'tokens.json.new');
  writeFileSync(lock, '', { mode: 0o600 });
  utimesSync(lock, now() / 1000, now() / 1000);
  expect(() => tokens.add('phone', { scope: 'full' })).toThrow(expect.objectContaining({ code: 'conflict' }));
  utimesSync(lock, now() / 1000 - 11, now() / 1000 - 11);
  expect(known(tokens, tokens.add('phone', { scope: 'full' }))).toEqual({ name: 'phone', scope: 'full' });
});

it('a token with scopes may what they say, and read', () => {
  const tokens = open();
  const may = (name: string, scopes: readonly Scope[]) =>
    tokens.identify(tokens.add(name, { scope: 'limited', scopes }))?.may;
  expect(may('a', ['read'])).toEqual(['read']);
  expect(may('b', ['approve', 'answer'])).toEqual(['read', 'answer', 'approve']);
  expect(may('c', ['admin'])).toEqual(['read', 'dispatch', 'answer', 'approve', 'admin']);
  expect(tokens.identify(ownerToken())?.may).toEqual(['read', 'dispatch', 'answer', 'approve', 'admin']);
  expect(tokens.identify(tokens.add('d', { scope: 'agent', workspace: '/work' }))?.may).toEqual([]);
});

it.each([
  ['no scope', { scope: 'limited', scopes: [] }],
  ['labels without approve', { scope: 'limited', scopes: ['answer'], approves: ['team=web'] }],
  ['labels for an admin', { scope: 'limited', scopes: ['approve', 'admin'], approves: ['team=web'] }],
  ['a label without a value', { scope: 'limited', scopes: ['approve'], approves: ['team'] }],
] as const)('a token with %s is not made', (_, grant) => {
  const tokens = open();
  expect(() => tokens.add('ada', grant)).toThrow(expect.objectContaining({ code: 'invalid' }));
  expect(tokens.list()).toEqual([]);
});

it('a user of a proxy is there once, under a name of its own', () => {
  const tokens = open();
  const grant = { scope: 'limited', scopes: ['read'] } as const;
  tokens.addUser('ada', 'ada@example.com', grant);
  expect(() => tokens.addUser('ada2', 'ada@example.com', grant)).toThrow(
    expect.objectContaining({ code: 'conflict' }),
  );
  expect(() => tokens.addUser('eve', 'eve example', grant)).toThrow(
    expect.objectContaining({ code: 'invalid' }),
  );
  expect(tokens.identifyUser('ada@example.com')?.name).toBe('ada');
  expect(tokens.identifyUser('eve@example.com')).toBe(null);
});
