import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupReport, BackupRequest } from '../../protocol/backup.js';
import type { Store } from '../../store/store.js';
import { type Clock, instant } from '../clock.js';

/** Copies the store of a home into a file while work goes on. */
export async function backUp(
  { file }: BackupRequest,
  { store, home, clock }: { readonly store: Store; readonly home: string; readonly clock: Clock },
): Promise<BackupReport> {
  const at = instant(clock);
  await store.backup(file);
  const { size } = await stat(file);
  return { file, bytes: size, at, store: join(home, 'store.db') };
}
