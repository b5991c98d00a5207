// @module-tag full
// The example, an idea from discovery to audit, with the real agent and the scripted model; the worker is killed again and again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openHostStage, owner } from '../host-stage.js';
import { PipelineStage, results } from './pipeline-stage.js';

const example = new URL('../../../examples/pipeline/', import.meta.url).pathname;
const program = new URL('./pipeline-host.js', import.meta.url).pathname;
const mostLives = 200;

const moments = [
  { moment: 'between any two steps', kill: { at: 'pipeline_moved', after: 1 }, atLeast: 10, tags: [] },
  { moment: 'before each step', kill: { at: 'pipeline_planned', after: 2 }, atLeast: 10, tags: ['full'] },
  { moment: 'inside of each phase', kill: { at: 'spawned', after: 1 }, atLeast: 4, tags: ['full'] },
  { moment: 'while phases speak', kill: { at: 'acknowledged', after: 2 }, atLeast: 4, tags: ['full'] },
];

for (const { moment, tags, ...killing } of moments)
  test(`killed ${moment}, the example comes to its end, and repeats no phase`, { tags }, async () => {
    await killedAgainAndAgain(killing);
  });

async function killedAgainAndAgain({
  kill,
  atLeast,
}: {
  readonly kill: { readonly at: string; readonly after: number };
  readonly atLeast: number;
}): Promise<void> {
  const at = await openHostStage();
  at.stage.simulator.setScript(parse(readFileSync(join(example, 'replies.yaml'), 'utf8')));
  const stage = new PipelineStage(at);
  cpSync(example, stage.folder, { recursive: true });
  await stage.approveSkills();
  const file = join(stage.folder, 'idea.yaml');
  const { digest } = await at.host.projectCode.inspect(file);
  await at.host.projectCode.approve(file, { digest, actor: owner });
  await at.leave();

  const request = {
    source: readFileSync(file, 'utf8'),
    file,
    workspace: { path: stage.folder },
    inputs: { idea: 'a page of releases' },
  };
  let kills = 0;
  for (let life = 1; ; life += 1) {
    expect(life).toBeLessThan(mostLives);
    const start = JSON.stringify({ home: at.home, env: at.stage.env, request, kill });
    const child = spawn(process.execPath, [program, start], { stdio: 'inherit' });
    const [code, signal] = await once(child, 'exit');
    if (code === 0) break;
    expect(signal).toBe('SIGKILL');
    kills += 1;
  }
  expect(kills).toBeGreaterThanOrEqual(atLeast);

  await at.open();
  const { rows } = await at.host.pipelines.list({});
  expect(rows).toHaveLength(1);
  const [run] = rows;
  if (!run) throw new Error('unreachable');
  const ended = await at.host.pipelines.get(run.id);
  expect(ended).toMatchObject({ state: 'ended', result: 'success', exitCode: 0 });
  expect(results(ended)).toEqual({
    discovery: 'success',
    design: 'success',
    approval: 'success',
    implementation: 'success',
    audit: 'success',
  });
  expect(readFileSync(join(stage.folder, 'history'), 'utf8')).toBe(
    'discovery\ndesign\nimplementation\naudit\n',
  );
  expect(ended.phases.map(({ tries }) => tries.length)).toEqual([1, 1, 0, 1, 1]);
  const work = await at.host.dispatches.list({ labels: [{ key: 'pipeline', value: run.id }] });
  expect(work.rows.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 1]);
  expect(ended.phases[4]?.outputs?.['text']).toBe('Audited: Built the page.');
}
