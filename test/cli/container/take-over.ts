import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { waitUntil } from '../../harness/wait-until.js';
import type { CliStage } from '../cli-stage.js';

/** The runtime's own program in a container, as a person uses it. */
interface Program {
  /** What it shows once it can be typed into. */
  readonly ready: string;
  readonly leave: string;
  /** The folder of the machine in which its sessions are kept. */
  readonly savedIn: string;
}

/** Opens the newest thread in a terminal, talks, leaves, and looks for what was said in the thread and in its next work. */
export async function takeOver(cli: CliStage, { ready, leave, savedIn }: Program): Promise<void> {
  const terminal = cli.onTerminal(['attach', 'last'], { columns: 120, rows: 40, env: cli.env });
  let screen = '';
  terminal.process.stdout?.on('data', (chunk) => {
    screen += String(chunk);
    if (String(chunk).includes('\u001b[6n')) terminal.type('\u001b[1;1R');
  });
  const typed = async (text: string) => {
    terminal.type(text);
    // Words are drawn one by one, with the cursor moved in between.
    await terminal.saying(text.split(' ').at(-1) ?? '');
    terminal.type('\r');
  };
  await terminal.saying('Leave the program');
  await terminal.saying(ready);
  await typed('[[text Said in the terminal.]]');
  await waitUntil('what was said is saved', () => holds(savedIn, '"Said in the terminal."'));
  // Both programs try hosts that are not the model's. What we say of that would stand in the middle of their screen.
  expect(screen).not.toContain('was refused');
  await typed(leave);
  expect(await terminal.finished).toMatchObject({ code: 0 });
  const logs = (await cli.run('logs', 'last')).stdout.replaceAll(/\s+/g, ' ');
  expect(logs).toContain('Said in the terminal.');
  expect((await cli.run('send', 'last', '[[text Over.]]')).code).toBe(0);
  await cli.run('wait', 'last');
  const heard = JSON.stringify(cli.stage.simulator.requests.at(-1)?.conversation);
  for (const words of ['Said by the worker.', 'Said in the terminal.', '[[text Over.]]'])
    expect(heard).toContain(words);
}

function holds(folder: string, words: string): boolean {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(words));
}
