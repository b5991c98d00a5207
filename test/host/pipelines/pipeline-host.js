// A host as a process of its own that runs a pipeline, approves what is asked, and is killed at a moment of it.
import { setTimeout as sleep } from 'node:timers/promises';
import { composeHost } from '../../../dist/compose.js';

/** @type {{ home: string, env: Record<string, string>, request: import('../../../src/protocol/pipeline.js').PipelineRequest, kill: { at: string, after: number } }} */
const { home, env, request, kill } = JSON.parse(process.argv[2] ?? '{}');
const actor = 'user:owner';
let left = kill.after;

const { host } = await composeHost({
  home,
  env,
  settings: { slots: 4, retries: 2, idleTimeoutMinutes: 15, keepSpare: false },
  log: (line) => process.stderr.write(`${line}\n`),
  // A real kill, at the very moment, with nothing flushed.
  failpoint: (moment) => {
    if (moment === kill.at && --left === 0) process.kill(process.pid, 'SIGKILL');
  },
});
const { rows } = await host.pipelines.list({ limit: 1 });
const id = rows[0]?.id ?? (await host.pipelines.create(request, actor)).pipeline.id;
for (;;) {
  const { state } = await host.pipelines.get(id);
  if (state === 'ended') process.exit(0);
  const open = await host.prompts.list({ open: true });
  for (const prompt of open.rows) await host.prompts.answer(prompt.id, { text: 'Approve' }, actor);
  await sleep(20);
}
