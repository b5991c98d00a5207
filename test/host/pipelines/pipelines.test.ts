// Pipelines with real processes: what phases give to each other, what people decide, and what is refused.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markedProcesses } from '../../harness/process-guard.js';
import { openHostStage, owner, refusal } from '../host-stage.js';
import { PipelineStage, results } from './pipeline-stage.js';

test('commands, skills and agents run after what they need, with what it gave; conditions and matrices hold', async () => {
  const stage = new PipelineStage(await openHostStage({ retries: 0 }));
  stage.skill(
    'discovery',
    'echo "idea=$(cat)" >> "$PIPELINE_OUTPUT"; printf "hidden=a\\342\\200\\256b\\n" >> "$PIPELINE_OUTPUT"; echo discovered',
  );
  await stage.approveSkills();
  const source = `
inputs: { idea: { required: true } }
phases:
  discovery: { run: ./skills/discovery, text: "\${{ inputs.idea }}" }
  design:
    needs: discovery
    agent: { prompt: "[[text Plan for \${{ needs.discovery.outputs.idea }}]]", permissions: autonomous }
  build:
    needs: design
    run: |
      printf '%s %s; %s\\n' "$MATRIX_OS" "$LEVEL" "$PLAN" >> log
      echo "os=$MATRIX_OS" >> "$PIPELINE_OUTPUT"
    env: { PLAN: "\${{ needs.design.outputs.text }}", LEVEL: 2 }
    strategy: { matrix: { os: [linux, mac] }, max-parallel: 1 }
  unwanted: { needs: discovery, when: "needs.discovery.outputs.idea == 'nothing'", run: echo no >> log }
  last:
    needs: [build, unwanted]
    when: always()
    run: printf '%s\\n' "$BUILT" >> log
    env: { BUILT: "\${{ needs.build.outputs.os }} \${{ needs.unwanted.result }}" }
`;
  const ended = await stage.ended(await stage.run('', { source, inputs: { idea: "a shop; it's $(id)" } }));
  expect(ended).toMatchObject({ result: 'success', exitCode: 0 });
  expect(results(ended)).toEqual({
    discovery: 'success',
    design: 'success',
    'build[0]': 'success',
    'build[1]': 'success',
    unwanted: 'skipped',
    last: 'success',
  });
  const plan = "Plan for a shop; it's $(id)";
  expect(stage.lines()).toEqual([`linux 2; ${plan}`, `mac 2; ${plan}`, 'linux', 'mac skipped']);
  expect(ended.phases[0]?.outputs).toEqual({ text: 'discovered', idea: "a shop; it's $(id)", hidden: 'ab' });
  expect(existsSync(join(stage.at.home, 'pipelines', ended.id))).toBe(false);
  await expect(stage.at.work('hello', { thread: ended.threadId })).rejects.toThrow(
    'tells what a pipeline does',
  );
});

test('an agent keeps to the budget of its phase', { tags: ['full'] }, async () => {
  const stage = new PipelineStage(await openHostStage({ retries: 1 }));
  const prompt = '"[[usage input=9000 output=5]][[text Done.]]"';
  const begun = await stage.run(`  a: { agent: { prompt: ${prompt}, budget: 5k tokens }, verify: "false" }`);
  const { phases } = await stage.seen(
    begun,
    'its work has begun',
    (run) => run.phases[0]?.tries.length === 1,
  );
  const asked = await stage.at.asked(phases[0]?.tries[0]?.threadId ?? begun.threadId);
  expect(asked.questions[0]?.question).toBe('The budget for this work is used up. How does it go on?');
  await stage.at.host.pipelines.cancel(begun.id, owner);
  expect(await stage.ended(begun)).toMatchObject({ result: 'cancelled' });
});

test('a gate waits for a person; approved it goes on, rejected it is blocked; nobody is asked where that is wanted', async () => {
  const stage = new PipelineStage(await openHostStage({ retries: 0 }));
  const gated =
    '  build: { run: echo built >> log }\n  gate: { needs: build, approval: "Ship it?" }\n  ship: { needs: gate, run: echo shipped >> log }';
  const first = await stage.run(gated);
  const asked = await stage.at.asked(first.threadId);
  expect(asked.questions[0]).toMatchObject({ question: 'Ship it?', byWorker: true });
  // Answered while no worker runs, it goes on with the next.
  await stage.at.host.prompts.answer(asked.id, { text: 'Approve' }, owner);
  await stage.at.leave();
  await stage.at.open();
  const done = await stage.ended(first);
  expect(done).toMatchObject({ result: 'success', phases: [{}, { key: 'gate', actor: owner }, {}] });
  expect(stage.lines()).toEqual(['built', 'shipped']);

  const second = await stage.run(gated);
  const gate = await stage.at.asked(second.threadId);
  await expect(
    stage.at.host.prompts.answer(gate.id, { decision: { approved: true } }, owner),
  ).rejects.toThrow(`handraise answer ${gate.id} NUMBER or TEXT`);
  await stage.at.host.prompts.answer((await stage.at.asked(second.threadId)).id, { text: 'Reject' }, owner);
  expect(await stage.ended(second)).toMatchObject({ result: 'failure', exitCode: 2 });
  const third = await stage.ended(await stage.run(gated, { noInput: true }));
  expect(third).toMatchObject({ result: 'failure', exitCode: 2 });
  expect(results(third)).toEqual({ build: 'success', gate: 'failure', ship: 'skipped' });
});

test('a phase that failed for good is given to a person with a report: tried again, gone on without, or aborted', {
  tags: ['full'],
}, async () => {
  const stage = new PipelineStage(await openHostStage({ retries: 0 }));
  const source =
    '  a: { run: "echo begun >> log; cat answer >&2; exit $(cat answer)" }\n  b: { needs: a, run: echo b >> log }\n  c: { run: echo c >> log }';
  writeFileSync(join(stage.folder, 'answer'), '69');
  const first = await stage.run(source);
  const asked = await stage.at.asked(first.threadId);
  expect(asked.questions[0]?.question).toBe('The phase "a" of "pipeline" failed. What becomes of it?');
  expect(asked.questions[0]?.context).toMatch(
    /^Phases:\n✗ "a": failed \(exit code 69\)[^]*Try 1: exit code 69, it says that a service is down: [^\n]*: 69$/,
  );
  writeFileSync(join(stage.folder, 'answer'), '65');
  await stage.at.host.prompts.answer(asked.id, { text: 'Retry' }, owner);
  const again = await stage.at.asked(first.threadId, [asked]);
  await stage.at.host.prompts.answer(again.id, { text: 'Skip' }, owner);
  const waived = await stage.ended(first);
  expect(waived).toMatchObject({ result: 'success', exitCode: 0 });
  expect(results(waived)).toEqual({ a: 'waived', b: 'success', c: 'success' });
  expect(waived.phases[0]?.tries.map(({ exitCode }) => exitCode)).toEqual([69, 65]);
  expect(waived.phases[0]?.actor).toBe(owner);

  const second = await stage.run(source);
  await stage.at.host.prompts.answer((await stage.at.asked(second.threadId)).id, { text: 'Abort' }, owner);
  const aborted = await stage.ended(second);
  expect(aborted).toMatchObject({ result: 'failure', exitCode: 65 });
  expect(results(aborted)).toMatchObject({ a: 'failure', b: 'cancelled' });
});

test('what is cancelled ends, with what is under way and what is asked', { tags: ['full'] }, async () => {
  const stage = new PipelineStage(await openHostStage({ retries: 0 }));
  const pipeline = await stage.run(
    '  gate: { approval: "Go?" }\n  slow: { run: echo begun >> log; sleep 300 }\n  next: { needs: slow, run: echo next >> log }',
  );
  await stage.seen(pipeline, 'the slow phase runs', () => stage.lines().includes('begun'));
  const prompt = await stage.at.asked(pipeline.threadId);
  await stage.at.host.pipelines.cancel(pipeline.id, owner);
  const ended = await stage.ended(pipeline);
  expect(ended).toMatchObject({ result: 'cancelled', exitCode: 130 });
  expect(results(ended)).toEqual({ gate: 'cancelled', slow: 'cancelled', next: 'cancelled' });
  expect(await stage.at.host.prompts.get(prompt.id)).toMatchObject({ state: 'cancelled' });
  await stage.at.runs('sh -e -c echo begun', { isThere: false });
  expect(stage.lines()).toEqual(['begun']);
});

test('what could not work is refused, and nothing has begun: files that nobody approved, that changed, that are missing', async () => {
  const stage = new PipelineStage(await openHostStage({ retries: 0 }));
  const file = join(stage.folder, 'p.yaml');
  const source = 'phases:\n  a: { run: sleep 300, files: log }\n';
  writeFileSync(file, source);
  const ask = async (more: object = {}) =>
    await stage.at.host.pipelines.create({ source, file, workspace: { path: stage.folder }, ...more }, owner);
  expect(await refusal(ask())).toMatchObject({ code: 'no_permission' });
  const { digest } = await stage.at.host.projectCode.inspect(file);
  expect(await stage.at.host.projectCode.approve(file, { digest, actor: owner })).toMatchObject({
    approved: true,
  });
  expect(await refusal(ask({ source: source.replace('300', '301') }))).toMatchObject({
    code: 'no_permission',
  });
  expect(await refusal(ask({ source: 'phases: { a: { skill: none } }' }))).toMatchObject({
    code: 'missing_file',
    message: expect.stringMatching(/^p\.yaml, line 1, column 23: There is no skill none: /),
  });
  expect(await refusal(ask({ inputs: { x: 'y' } }))).toMatchObject({ code: 'invalid' });
  expect((await stage.at.host.pipelines.list({})).rows).toEqual([]);

  // A file that a phase needs is looked for when it begins.
  const missing = await ask();
  const prompt = await stage.at.asked(missing.pipeline.threadId);
  expect(prompt.questions[0]?.context).toContain('log, which this phase needs, is not there.');
  // The same file again is the same run, and one that has changed is refused with the place.
  expect(await ask()).toMatchObject({ isNew: false, pipeline: { id: missing.pipeline.id } });
  expect(await refusal(ask({ source: source.replace('log', 'lag') }))).toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(/p\.yaml, line 2, column 32: The file has changed since pip_/),
  });
  await stage.at.host.prompts.cancel(prompt.id, { actor: owner });
  expect(await stage.ended(missing.pipeline)).toMatchObject({ result: 'failure', exitCode: 66 });
});

test('a phase whose process or runner is killed has used up a try, and what ended before it is not begun again', {
  tags: ['full'],
}, async () => {
  const stage = new PipelineStage(await openHostStage({ retries: 2 }));
  const pipeline = await stage.run(
    '  first: { run: echo first >> log }\n  second: { needs: first, run: "echo second >> log; [ -e go ] || sleep 300" }\n  last: { needs: second, run: echo last >> log }',
  );
  for (const [index, victim] of ['sh -e -c echo second', 'handraise-runner.js --runtime exec'].entries()) {
    await stage.seen(pipeline, `try ${index + 1} has begun`, () => stage.lines().length === index + 2);
    const running = await markedProcesses(stage.at.stage.mark);
    const last = index === 1;
    // The runner that was started last is the one of this try.
    const victims = running.filter(
      ({ command }) => command.includes(victim) && (last || !command.includes('handraise-runner')),
    );
    expect(victims.length).toBeGreaterThan(0);
    if (last) writeFileSync(join(stage.folder, 'go'), '');
    for (const { pid } of victims) process.kill(pid, 'SIGKILL');
  }
  const ended = await stage.ended(pipeline);
  expect(ended).toMatchObject({ result: 'success', exitCode: 0 });
  expect(stage.lines()).toEqual(['first', 'second', 'second', 'second', 'last']);
  const { rows } = await stage.at.host.dispatches.list({ labels: [{ key: 'phase', value: 'second' }] });
  expect(rows.map(({ attempts }) => attempts.length)).toEqual([3]);
});
