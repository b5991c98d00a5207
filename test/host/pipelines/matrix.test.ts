// A matrix whose values an earlier phase tells, with real processes and a worker that is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { openHostStage, owner, refusal } from '../host-stage.js';
import { PipelineStage, results } from './pipeline-stage.js';

const program = new URL('./pipeline-host.js', import.meta.url).pathname;
const listed = (list: string) => `phases:
  find:
    run: |
      echo found >> log
      printf 'all=%s\\n' '${list}' >> "$PIPELINE_OUTPUT"
  test:
    needs: find
    run: |
      printf '%s %s\\n' "$MATRIX_SUITE" "$MATRIX_NODE" >> log
      echo "did=$MATRIX_SUITE" >> "$PIPELINE_OUTPUT"
    strategy:
      matrix:
        suite: \${{ fromJSON(needs.find.outputs.all) }}
        node: [20]
      max-parallel: 1
  last: { needs: test, run: "printf '%s\\\\n' \\"$DID\\" >> log", env: { DID: "\${{ needs.test.outputs.did }}" } }
`;

test('a phase runs once for each value that a phase before it told', async () => {
  const stage = new PipelineStage(await openHostStage({ retries: 0 }));
  const begun = await stage.run('', { source: listed('["unit","web"]') });
  expect(begun.phases.map(({ key, title }) => `${key}: ${title}`)).toContain('test: test (…)');
  const ended = await stage.ended(begun);
  expect(results(ended)).toEqual({
    find: 'success',
    'test[0]': 'success',
    'test[1]': 'success',
    last: 'success',
  });
  expect(stage.lines()).toEqual(['found', 'unit 20', 'web 20', 'unit', 'web']);

  const none = await stage.ended(await stage.run('', { source: listed('[]') }));
  expect(none.phases[1]).toMatchObject({ key: 'test', result: 'skipped', why: 'its matrix has no values' });
  expect(none.result).toBe('success');
});

test('a list that cannot be used is given to a person, with its place; one of an input is refused before anything begins', async () => {
  const stage = new PipelineStage(await openHostStage({ retries: 0 }));
  const begun = await stage.run('', { source: listed('[[1]]') });
  const prompt = await stage.at.asked(begun.threadId);
  expect(prompt.questions[0]?.context).toContain(
    'pipeline.yaml, line 13, column 16: suite: Value 1 of the list is not a text, a number, true or false.',
  );
  await stage.at.host.prompts.answer(prompt.id, { text: 'Abort' }, owner);
  expect(await stage.ended(begun)).toMatchObject({ result: 'failure', exitCode: 65 });
  expect(stage.lines()).toEqual(['found']);

  const source = `inputs: { suites: { required: true } }
phases:
  test: { run: echo no >> log, strategy: { matrix: { suite: "\${{ fromJSON(inputs.suites) }}" } } }`;
  expect(await refusal(stage.run('', { source, inputs: { suites: 'all' } }))).toEqual({
    code: 'invalid',
    message:
      'pipeline.yaml, line 3, column 61: suite: The text is not JSON. It must be a list such as ["unit","browser"], of at most 8,000 characters.',
  });
  expect(stage.lines()).toEqual(['found']);
  expect((await stage.at.host.pipelines.list({})).rows).toHaveLength(1);
});

const toldWhole = (matrix: string) => `phases:
  find:
    run: |
      echo found >> log
      printf 'all=%s\\n' '${matrix}' >> "$PIPELINE_OUTPUT"
  test:
    needs: find
    run: printf '%s %s %s\\n' "$MATRIX_SUITE" "$MATRIX_NODE" "$NAME" >> log
    env: { NAME: "\${{ matrix.suite }}" }
    strategy:
      matrix: \${{ fromJSON(needs.find.outputs.all) }}
      max-parallel: 1
`;

test('a whole matrix comes from one output, in both forms of GitHub Actions', {
  tags: ['full'],
}, async () => {
  const stage = new PipelineStage(await openHostStage({ retries: 0 }));
  const grid = await stage.ended(
    await stage.run('', { source: toldWhole('{"suite":["unit","web"],"node":[20]}') }),
  );
  expect(grid.phases.map(({ title, result }) => `${title}: ${result}`)).toEqual([
    'find: success',
    'test (unit, 20): success',
    'test (web, 20): success',
  ]);
  const rows = await stage.ended(
    await stage.run('', { source: toldWhole('{"include":[{"suite":"a","node":22},{"suite":"b"}]}') }),
  );
  expect(results(rows)).toEqual({ find: 'success', 'test[0]': 'success', 'test[1]': 'success' });
  expect(stage.lines()).toEqual(['found', 'unit 20 unit', 'web 20 web', 'found', 'a 22 a', 'b  b']);
});

test('a whole matrix that cannot be used ends its phase with a sentence that names the place', async () => {
  const stage = new PipelineStage(await openHostStage({ retries: 0 }));
  const ended = await stage.ended(await stage.run('', { source: toldWhole('{"node":[20]}'), noInput: true }));
  expect(ended).toMatchObject({ result: 'failure', exitCode: 65 });
  expect(JSON.stringify(ended.phases[1])).toContain(
    'pipeline.yaml, line 11, column 15: The matrix has no \\"suite\\", which this phase reads.',
  );
  expect(stage.lines()).toEqual(['found']);
});

test('killed between any two steps, each value is worked on once', { tags: ['full'] }, async () => {
  const at = await openHostStage({ retries: 0 });
  const stage = new PipelineStage(at);
  await at.leave();
  // One phase tells a list, another one a whole matrix.
  const source = `${listed('["a","b"]')}  tell:
    needs: test
    run: printf 'whole={"include":[{"suite":"c"},{"suite":"d"}]}\\n' >> "$PIPELINE_OUTPUT"
  whole:
    needs: [tell, last]
    run: printf 'whole %s\\n' "$MATRIX_SUITE" >> log
    strategy: { matrix: "\${{ fromJSON(needs.tell.outputs.whole) }}", max-parallel: 1 }
`;
  const request = { source, workspace: { path: stage.folder } };
  let kills = 0;
  for (;;) {
    const start = JSON.stringify({
      home: at.home,
      env: at.stage.env,
      request,
      kill: { at: 'pipeline_moved', after: 1 },
    });
    const child = spawn(process.execPath, [program, start], { stdio: 'inherit' });
    const [code, signal] = await once(child, 'exit');
    if (code === 0) break;
    expect(signal).toBe('SIGKILL');
    kills += 1;
    expect(kills).toBeLessThan(100);
  }
  expect(kills).toBeGreaterThanOrEqual(10);
  expect(stage.lines()).toEqual(['found', 'a 20', 'b 20', 'a', 'b', 'whole c', 'whole d']);
  await at.open();
});
