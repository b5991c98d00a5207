import { expect } from 'vitest';
import { waitUntil } from '../../harness/wait-until.js';
import type { TerminalStage } from './terminal-stage.js';

/** A session of one message is a thread, once, with what was said; and the agent goes on with it. */
export async function expectAdopted(stage: TerminalStage, sessionId: string): Promise<void> {
  const { cli } = stage;
  expect(await stage.said()).toEqual([
    {
      type: 'terminal_message',
      uuid: expect.any(String),
      text: '[[text Typed by hand.]]',
      actor: 'user:owner',
    },
    { type: 'terminal_text', content: 'Typed by hand.' },
  ]);
  expect(await cli.run('adopt', sessionId)).toMatchObject({
    code: 65,
    stderr: expect.stringContaining('This session is a thread already: thr_'),
  });
  expect((await cli.run('adopt', '--json')).stdout).toBe('');
  await cli.run('send', 'mine', '[[text Going on.]]');
  await waitUntil('the work has ended', async () => (await stage.show()).dispatches[0]?.state === 'ended');
  expect(stage.lastHeard().split('Typed by hand.').length - 1).toBe(2);
}
