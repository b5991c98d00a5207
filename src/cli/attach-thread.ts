import type { Client } from '../client/client.js';
import type { ThreadId } from '../protocol/id.js';
import type { Thread } from '../protocol/thread.js';
import { writeMessage } from './output.js';
import { TerminalProgram } from './terminal-program.js';

/** Opens a thread in the runtime's own program, here, and gives it back to the worker when the person leaves the program. */
export async function attachThread(
  client: Client,
  id: ThreadId,
  { isSettingAside = false }: { readonly isSettingAside?: boolean } = {},
): Promise<{ readonly thread: Thread; readonly exitCode: number }> {
  const opened = await client.terminals.open(id, {
    process: TerminalProgram.keeper(),
    setAside: isSettingAside,
  });
  const { missingEnv } = opened.command;
  if (missingEnv.length > 0)
    writeMessage(
      `The agent was launched with ${missingEnv.join(', ')}. Your terminal's own values count here; set them if the program needs them.`,
    );
  writeMessage(`Leave the program to give ${id} back to the worker.`);
  const exitCode = await TerminalProgram.run(opened.command, async (started) => {
    await client.terminals.begin(id, started);
  });
  return { thread: await client.terminals.close(id), exitCode };
}
