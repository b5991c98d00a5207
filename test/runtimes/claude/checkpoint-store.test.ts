import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CheckpointStore } from '../../../src/runtimes/claude/checkpoint-store.js';
import { changedPaths, readManifest } from '../../../src/runtimes/claude/workspace-manifest.js';

let root: string;
let file: (name: string) => string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'handraise-checkpoints-'));
  file = (name) => join(root, name);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = async () => await CheckpointStore.open(file('state'), 'session');
const add = async (store: CheckpointStore, uuid: string) =>
  await store.add(uuid, { isResult: true, manifest: null });

test('a result is restored: changed files back, later ones gone, deleted ones there again', async () => {
  const store = await open();
  writeFileSync(file('a'), 'one');
  await store.track(file('a'));
  writeFileSync(file('a'), 'two');
  await add(store, 'first');

  await store.track(file('b'));
  writeFileSync(file('b'), 'new');
  rmSync(file('a'));
  await add(store, 'second');

  const first = store.get('first');
  if (!first) throw new Error('lost');
  expect((await store.restore(first)).toSorted()).toEqual([file('a'), file('b')]);
  expect([readFileSync(file('a'), 'utf8'), existsSync(file('b'))]).toEqual(['two', false]);

  const second = store.get('second');
  if (!second) throw new Error('lost');
  await store.restore(second);
  expect([existsSync(file('a')), readFileSync(file('b'), 'utf8')]).toEqual([false, 'new']);
});

test('another process finds it again, private to its user; what it cannot read it does not offer', async () => {
  const store = await open();
  await store.track(file('a'));
  writeFileSync(file('a'), Buffer.from([0, 255, 1]));
  await add(store, 'kept');
  writeFileSync(file('state/checkpoints/session/foreign.json'), '{"version":9}');
  rmSync(file('a'));

  const again = await open();
  const kept = again.get('kept');
  if (!kept) throw new Error('lost');
  await again.restore(kept);
  expect(readFileSync(file('a'))).toEqual(Buffer.from([0, 255, 1]));
  expect(again.get('foreign')).toBeUndefined();
  expect(statSync(file('state/checkpoints/session')).mode & 0o777).toBe(0o700);
});

test('a file that is touched after a resume counts as it was for the checkpoints before', async () => {
  await add(await open(), 'before');
  const again = await open();
  writeFileSync(file('late'), 'original');
  await again.track(file('late'));
  writeFileSync(file('late'), 'changed');
  const before = again.get('before');
  if (!before) throw new Error('lost');
  await again.restore(before);
  expect(readFileSync(file('late'), 'utf8')).toBe('original');
});

test('two looks at a workspace tell what changed, folders of tools aside', async () => {
  writeFileSync(file('same'), '');
  writeFileSync(file('gone'), '');
  const before = await readManifest(root);
  rmSync(file('gone'));
  writeFileSync(file('new'), '');
  const after = await readManifest(root);
  expect(changedPaths(before ?? {}, after ?? {})).toEqual(['gone', 'new']);
});

test('its own files are read with a bound: no pipe, no link, nothing that is too large or was changed (CWE-400)', async () => {
  const store = await open();
  const folder = file('state/checkpoints/session');
  await store.track(file('a'));
  writeFileSync(file('a'), 'one');
  await add(store, 'kept');
  execFileSync('mkfifo', [join(folder, 'pipe.json')]);
  symlinkSync('/dev/zero', join(folder, 'zero.json'));
  writeFileSync(join(folder, 'huge.json'), '');
  truncateSync(join(folder, 'huge.json'), 2 ** 32);

  const again = await open();
  expect(['pipe', 'zero', 'huge'].map((uuid) => again.get(uuid))).toEqual([undefined, undefined, undefined]);
  const kept = again.get('kept');
  if (!kept) throw new Error('lost');
  const [blob = ''] = readdirSync(join(folder, 'blobs'));
  writeFileSync(join(folder, 'blobs', blob), 'other');
  writeFileSync(file('a'), 'two');
  await expect(again.restore(kept)).rejects.toThrow('cannot be used: it was changed since.');
  rmSync(join(folder, 'blobs', blob));
  symlinkSync('/dev/zero', join(folder, 'blobs', blob));
  await expect(again.restore(kept)).rejects.toThrow('cannot be used: it cannot be opened (ELOOP).');
  expect(readFileSync(file('a'), 'utf8')).toBe('two');
});
