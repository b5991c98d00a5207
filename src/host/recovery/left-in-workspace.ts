import { join } from 'node:path';
import type { RunFacts } from '../../domain/run/run-facts.js';
import { SentinelFile } from '../../process/files/sentinel-file.js';
import type { EventBody } from '../../protocol/event.js';
import { needsInputFileLimit, needsInputPath, readNeedsInput } from '../../protocol/needs-input.js';

/** What a runner leaves in the workspace when it is killed, and would have seen to itself. */
export class LeftInWorkspace {
  readonly #sentinel: SentinelFile;

  constructor(cwd: string) {
    this.#sentinel = new SentinelFile(join(cwd, needsInputPath), { limit: needsInputFileLimit });
  }

  /** The question of the turn that died with the runner; what an ended turn left is recorded already. */
  question(facts: RunFacts): EventBody<'needs_input'> | null {
    const { isOver, leftFile, signs } = facts;
    const diedAtWork = !isOver && signs.isAlive && signs.by.turnOpen?.fact !== 'turn_ended';
    const text = diedAtWork && leftFile.state !== 'question' ? this.#sentinel.read() : null;
    return text && readNeedsInput(text);
  }

  /** Called once the question is recorded. */
  tidy(question: EventBody<'needs_input'> | null): void {
    if (question?.error !== undefined) this.#sentinel.renameAsInvalid();
  }
}
