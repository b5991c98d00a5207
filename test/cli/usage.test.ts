import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { UsageReport } from '../../src/protocol/api.js';
import { waitUntil } from '../harness/wait-until.js';
import { openCliStage } from './cli-stage.js';

const UsageReports = z.object({ usage: z.array(UsageReport) });
// Where there is no /proc, nobody measures.
const measured =
  process.platform === 'linux'
    ? {
        resources: {
          cpuSeconds: expect.any(Number),
          aliveSeconds: expect.any(Number),
          meanMemoryBytes: expect.any(Number),
          peakMemoryBytes: expect.any(Number),
        },
      }
    : {};

test('what work has used is summed by day, runtime and thread', async () => {
  const cli = await openCliStage();
  onTestFinished(async () => await cli[Symbol.asyncDispose]());
  expect(await cli.run('run', '[[text Done.]]')).toMatchObject({ code: 0 });
  const { stdout } = await cli.run('usage', '--by', 'runtime');
  expect(stdout).toMatch(
    /^RUNTIME +TOKENS IN +TOKENS OUT +COST +AGENT TIME +CPU +MEMORY +PEAK\nclaude +\d+ +\d+ .*\ntotal +\d+ +\d+ .*\n$/,
  );
  expect(await cli.json('usage', '--by', 'thread')).toEqual({
    usage: [
      {
        key: expect.stringMatching(/^thr_/),
        usage: {
          inputTokens: expect.any(Number),
          outputTokens: expect.any(Number),
          costUsd: expect.any(Number),
        },
        ...measured,
      },
    ],
  });
  expect(await cli.json('usage')).toMatchObject({
    usage: [{ key: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }],
  });
});

test.runIf(process.platform === 'linux')(
  'processor time and memory are told apart by what the agent was doing',
  { tags: ['full'] },
  async () => {
    const cli = await openCliStage();
    onTestFinished(async () => await cli[Symbol.asyncDispose]());
    const burn = `node -e 'while(process.cpuUsage().user<1e6);'`;
    const call = `[[tool Bash ${JSON.stringify({ command: burn })}]]`;
    const run = cli.start([
      'run',
      '--permissions',
      'autonomous',
      `${call} [[next]] [[ask Which colour? | Red | Blue]] [[next]] [[text Over.]]`,
    ]);
    let prompt = '';
    await waitUntil('a question is asked', async () => {
      prompt = (await cli.run('inbox', '-q')).stdout.trim();
      return prompt !== '';
    });
    // So that the wait for a person is long enough to be seen beside everything else.
    const asked = Date.now();
    await waitUntil('a while has passed', () => Date.now() - asked > 1500);
    expect((await cli.run('answer', prompt, 'Red')).code).toBe(0);
    expect((await run.finished).code).toBe(0);
    await cli.run('down', '--stop-agents');
    const { usage } = UsageReports.parse(await cli.json('usage', '--by', 'status'));
    const of = (status: string) => usage.find(({ key }) => key === status);
    const [busy, question] = [of('busy'), of('question')];
    expect(busy?.usage.costUsd).toBeGreaterThan(0);
    expect(busy?.resources?.cpuSeconds).toBeGreaterThan(0.9);
    expect(busy?.resources?.peakMemoryBytes).toBeGreaterThan(50e6);
    expect(question?.usage.costUsd).toBeNull();
    expect(question?.resources?.aliveSeconds).toBeGreaterThan(1);
    expect(question?.resources?.cpuSeconds).toBeLessThan(busy?.resources?.cpuSeconds ?? 0);
  },
);

test.runIf(process.platform === 'linux')(
  'what falls in a status that is only guessed is unknown, and a command that lives for a moment counts',
  { tags: ['full'] },
  async () => {
    const cli = await openCliStage();
    onTestFinished(async () => await cli[Symbol.asyncDispose]());
    const command = `node -e 'while(process.cpuUsage().user<3e5);'`;
    expect(await cli.run('run', '--command', command, 'work')).toMatchObject({ code: 0 });
    await cli.run('down', '--stop-agents');
    const { usage } = UsageReports.parse(await cli.json('usage', '--by', 'status'));
    const guessed = usage.find(({ key }) => key === 'unknown');
    expect(guessed?.resources?.cpuSeconds).toBeGreaterThan(0.2);
    expect(usage.filter(({ usage: { costUsd } }) => costUsd !== null)).toEqual([]);
  },
);
