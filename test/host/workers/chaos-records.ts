import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ChaosFleet } from './chaos-fleet.js';
import type { ChaosWork } from './chaos-work.js';

/** Keeps what is known of threads that something was wrong with, for whoever looks for the cause. */
export async function keepRecords(
  { database, log }: Pick<ChaosFleet, 'database' | 'log'>,
  {
    threads,
    works,
    folder,
  }: { readonly threads: readonly string[]; readonly works: readonly ChaosWork[]; readonly folder: string },
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'workers.log'), log.join('\n'));
  for (const thread of threads) {
    const record = {
      thread: await database.sql(`select * from threads where id = '${thread}'`),
      dispatches: await database.sql(`select * from dispatches where thread_id = '${thread}'`),
      attempts: await database.sql(
        `select a.* from attempts a join dispatches d on d.id = a.dispatch_id where d.thread_id = '${thread}' order by attempt`,
      ),
      runs: await database.sql(`select * from runs where thread_id = '${thread}'`),
      prompts: await database.sql(`select * from prompts where thread_id = '${thread}'`),
      events: (await database.sql(`select json from events where thread_id = '${thread}' order by seq`)).map(
        ({ json }) => JSON.parse(String(json)),
      ),
    };
    writeFileSync(join(folder, `${thread}.json`), JSON.stringify(record, null, 1));
  }
  for (const work of works)
    if (existsSync(work.folder))
      cpSync(work.folder, join(folder, basename(work.folder)), { recursive: true });
}
