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
/** Says what became of something that others are not to wait for. @param {object} what @param {Promise<unknown>} done */
const report = (what, done) =>
  done.then(
    () => say({ ...what, done: true }),
    (error) => say({ ...what, done: false, why: `${error.code} ${error.message}` }),
  );
for await (const line of createInterface({ input: process.stdin })) {
  const { schedule, pipeline, answer, keyed, stopAgents, ...work } = JSON.parse(line);
  if (answer) void report({ about: answer.id }, host.prompts.answer(answer.id, { text: answer.text }, actor));
  else if (stopAgents) void report({ about: 'agents' }, host.stopAgents(actor));
  else if (keyed)
    void report(
      { about: keyed.key },
      host.dispatches.submit(keyed.work, { actor, idempotencyKey: keyed.key }),
    );
  else if (schedule) say({ schedule: (await host.schedules.create(schedule, actor)).id });
  else if (pipeline) say({ pipeline: (await host.pipelines.create(pipeline, actor)).pipeline.id });
  else {
    const { dispatch } = await host.dispatches.submit(work, { actor });
    say({ dispatch: dispatch.id, threadId: dispatch.threadId });
  }
}
