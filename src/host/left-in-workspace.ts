import { join } from 'node:path';
import type { RunFacts } from '../domain/run-facts.js';
import { removeOverlay } from '../process/overlay-file.js';
import { SentinelFile } from '../process/sentinel-file.js';
import type { EventBody } from '../protocol/event.js';
import {
  needsInputFileLimit,
  needsInputPath,
  needsInputSkillPath,
  readNeedsInput,
} from '../protocol/needs-input.js';

/** What a runner leaves in the workspace when it is killed, and would have seen to itself. */
export class LeftInWorkspace {
  readonly #cwd: string;
  readonly #sentinel: SentinelFile;

  constructor(cwd: string) {
    this.#cwd = cwd;
    this.#sentinel = new SentinelFile(join(cwd, needsInputPath), { limit: needsInputFileLimit });
  }

  /** The question of the turn that died with the runner; what an ended turn left has been told. */
  question(facts: RunFacts): EventBody<'needs_input'> | null {
    const { isOver, leftQuestion, signs } = facts;
    const diedAtWork = !isOver && signs.isAlive && signs.by.turnOpen?.fact !== 'turn_ended';
    const text = diedAtWork && !leftQuestion ? this.#sentinel.read() : null;
    return text && readNeedsInput(text);
  }

  /** Called once the question is recorded. */
  tidy(question: EventBody<'needs_input'> | null): void {
    if (question?.error !== undefined) this.#sentinel.keepAside();
    removeOverlay({ root: this.#cwd, path: needsInputSkillPath });
  }
}
