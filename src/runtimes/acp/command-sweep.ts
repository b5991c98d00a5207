import { killLeftovers } from '../../process/families/leftovers.js';
import { ProcessFamily } from '../../process/families/process-family.js';
import type { ProcessKey } from '../../process/families/process-key.js';
import type { EnvironmentMarker, ProcessRow } from '../../process/families/process-source.js';

const limits = { settleMs: 300, killMs: 4000 };

/** Ends what an agent started in a turn that was cancelled: codex-acp leaves the commands of such a turn alone (measured). */
export class CommandSweep {
  readonly #family: ProcessFamily;
  #before = new Set<string>();

  constructor(root: ProcessKey, marker: EnvironmentMarker) {
    this.#family = new ProcessFamily({ root, leadsGroup: true, marker });
  }

  /** What lives now is the agent with its servers, and stays. */
  remember(): void {
    this.#before = new Set(this.#family.look().map(keyOf));
  }

  /** Ends what was started since. */
  async endNew(): Promise<void> {
    const started = () => this.#family.look().filter((row) => !this.#before.has(keyOf(row)));
    await killLeftovers({ look: started }, limits);
  }
}

function keyOf({ pid, identity }: ProcessRow): string {
  return `${pid} ${identity.startTime}`;
}
