import { exitCodeOf, Failure } from '../protocol/failure.js';
import { writeMessage } from './output.js';

/** Does something to each, also after one was refused: every refusal is told, and the first decides the exit code. */
export async function doEach<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const refusals: Failure[] = [];
  for (const item of items) {
    try {
      await act(item);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      writeMessage(error.message);
      refusals.push(error);
    }
  }
  if (refusals[0]) process.exitCode = exitCodeOf(refusals[0]);
}
