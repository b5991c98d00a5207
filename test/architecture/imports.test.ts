import { expect, test } from 'vitest';
import { browserRooms, importTable } from './import-table.js';
import { caughtBy, type PlantedImport } from './planted-import.js';
import { sourceImports } from './source-imports.js';

const rooms = Object.entries<readonly string[]>(importTable);
const targets = [...Object.keys(importTable), 'compose'];

test('every import that the table forbids is caught, from a file of the room and from a folder in it', async () => {
  const planted = rooms.flatMap(([room, allowed]) =>
    targets
      .filter((target) => target !== room && !allowed.includes(target))
      .flatMap((target) => importsOf(room, target)),
  );

  expect(await caughtBy(planted)).toEqual(filesOf(planted));
});

test('no import that the table allows is caught', async () => {
  const planted = rooms.flatMap(([room, allowed]) =>
    [room, ...allowed].flatMap((target) => importsOf(room, target)),
  );

  expect(await caughtBy(planted)).toEqual([]);
});

test('node: modules are caught in the rooms that run in a browser, and only there', async () => {
  const planted = rooms.map(([room]) => ({ file: `src/${room}/uses-node.ts`, specifier: 'node:fs' }));

  expect(await caughtBy(planted)).toEqual(browserRooms.map((room) => `src/${room}/uses-node.ts`).toSorted());
});

test('process/ imports nothing but node: modules and its own files', async () => {
  const planted = ['zod', 'node-pty', 'nodemon', 'net', '@anthropic-ai/claude-agent-sdk'].map(
    (specifier, index) => ({ file: `src/process/package-${index}.ts`, specifier }),
  );

  expect(await caughtBy(planted)).toEqual(filesOf(planted));
});

test('host/ imports the store port and no implementation of it', async () => {
  const planted = [{ file: 'src/host/implementation.ts', specifier: '../store/sqlite/sqlite-store.js' }];

  expect(await caughtBy(planted)).toEqual(filesOf(planted));
});

test('src/ itself keeps to the table, dynamic imports included', () => {
  const allowed = new Map(rooms);
  const strays = sourceImports().filter(
    ({ room, target }) => room !== 'compose' && room !== target && !allowed.get(room)?.includes(target),
  );

  expect(strays).toEqual([]);
});

function importsOf(room: string, target: string): PlantedImport[] {
  const inside = target === 'compose' ? 'compose.js' : `${target}/noun.js`;
  return [
    { file: `src/${room}/to-${target}.ts`, specifier: `../${inside}` },
    { file: `src/${room}/folder/to-${target}.ts`, specifier: `../../${inside}` },
  ];
}

function filesOf(planted: readonly PlantedImport[]): string[] {
  return planted.map(({ file }) => file).toSorted();
}
