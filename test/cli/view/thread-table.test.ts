import { expect, test } from 'vitest';
import { palette } from '../../../src/cli/terminal/colours.js';
import { threadTable } from '../../../src/cli/view/thread-table.js';
import { planTool } from '../../../src/domain/prompts/plan-action.js';
import { promptId, sampleApproval, samplePrompt, sampleThread } from '../console/console-samples.js';

const at = '2026-01-01T09:00:00.000Z';

test('a thread that asks is called by what it asks, where that is known', () => {
  const asking = (number: number) => ({
    status: {
      state: 'question',
      promptId: promptId(number),
      since: at,
      held: true,
      why: 'the agent asks',
      source: 'prompt',
      confidence: 'authoritative',
    },
  });
  const prompts = [
    samplePrompt(1),
    sampleApproval(2, { command: 'ls' }),
    sampleApproval(3, { plan: 'Paint it.' }, planTool),
  ];
  const threads = [1, 2, 3, 4].map((number) => sampleThread(number, asking(number)));
  const inTerminal = { openedBy: 'user:owner', openedAt: at, sessionId: 'one' };
  const [, ...rows] = threadTable([...threads, sampleThread(2, { ...asking(2), terminal: inTerminal })], {
    ids: threads.map(({ id }) => id),
    now: Date.parse(at),
    width: 200,
    colours: palette({ isColoured: false }),
    prompts: new Map(prompts.map((prompt) => [prompt.id, prompt])),
  });
  expect(rows.map((row) => /(\S \w+(?: \w+)*)  /.exec(row.slice(13))?.[1])).toEqual([
    '? Question',
    '! Approval',
    '≡ Plan',
    '? Question',
    '▸ In a terminal',
  ]);
});
