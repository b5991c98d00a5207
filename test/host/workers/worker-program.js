// Another worker of the same store, as a process of its own: a test can stop it, let it go on, and kill it at any moment.
import { createInterface } from 'node:readline';
import { composeHost } from '../../../dist/compose.js';

const { home, settings } = JSON.parse(process.argv[2] ?? '{}');
/** @param {object} value */
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

const { host, store } = await composeHost({
  home,
  settings,
  env: process.env,
  log: (line) => say({ log: line }),
});
say({ ready: store.worker.id });
const actor = 'user:owner';
for await (const line of createInterface({ input: process.stdin })) {
  const { schedule, pipeline, ...work } = JSON.parse(line);
  if (schedule) say({ schedule: (await host.schedules.create(schedule, actor)).id });
  else if (pipeline) say({ pipeline: (await host.pipelines.create(pipeline, actor)).pipeline.id });
  else {
    const { dispatch } = await host.dispatches.submit(work, { actor });
    say({ dispatch: dispatch.id, threadId: dispatch.threadId });
  }
}
