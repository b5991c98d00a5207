import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type KeyName, keyTable } from '../../../src/web/keys/key-table.js';

const web = fileURLToPath(new URL('../../../src/web', import.meta.url));
const listening = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => readFileSync(join(web, file), 'utf8'))
  .filter((text) => text.includes('useKeys('))
  .join('\n');
const rows = keyTable.flatMap(({ where, keys }) => keys.map((row) => ({ where, ...row })));

test('a part cannot listen to a key that is not in the table', () => {
  // @ts-expect-error -- it does not compile
  const unknown: KeyName = 'q';
  expect(rows.flatMap(({ bound }): readonly string[] => bound)).not.toContain(unknown);
});

test.each(rows.flatMap(({ bound, words }) => bound.map((key) => [key, words] as const)))(
  'somebody listens to %j (%s)',
  (key) => {
    const name = key.replaceAll(/[#?/=]/g, (sign) => `\\${sign}`);
    const isNumber = /^\d$/.test(key);
    expect(listening).toMatch(isNumber ? /pick\(/ : new RegExp(`(^|[{\\s,(])['"]?${name}['"]?: `));
  },
);

test('no group names a key twice', () => {
  for (const { keys } of keyTable) {
    const bound = keys.flatMap((row): readonly string[] => row.bound);
    expect(new Set(bound).size).toBe(bound.length);
  }
});
