import { expect, test } from 'vitest';
import { type Standbys, standbyWarning } from '../../../src/store/postgres/standbys.js';

const alone: Standbys = { synchronousNames: '', synchronousCommit: 'on', connected: 0, servers: 1 };

test.each<[string, Partial<Standbys>, RegExp | null]>([
  ['one server and nothing to fail over to', {}, null],
  ['a standby that commits wait for', { connected: 1, synchronousNames: 's1' }, null],
  ['several hosts, and commits wait for one', { servers: 2, synchronousNames: 'ANY 1 (*)' }, null],
  ['a standby that commits do not wait for', { connected: 1 }, /synchronous_standby_names is empty/],
  ['hosts to fail over to, none connected now', { servers: 2 }, /synchronous_standby_names is empty/],
  [
    'names that this user does not wait for',
    { synchronousNames: 's1', synchronousCommit: 'local' },
    /synchronous_commit is local/,
  ],
  ['commits that are not written', { synchronousCommit: 'off' }, /before they are on its disk/],
  [
    'received by the standby, not written there',
    { connected: 1, synchronousNames: 's1', synchronousCommit: 'remote_write' },
    null,
  ],
])('%s', (_name, facts, warning) => {
  const said = standbyWarning({ ...alone, ...facts });
  if (warning === null) expect(said).toBeNull();
  else expect(said).toMatch(warning);
});
