import { type Finding, preflightVerdict } from '../../domain/preflight/finding.js';
import type { Failure } from '../../protocol/failure.js';
import type { Posture, RuntimeName } from '../../protocol/posture.js';
import type { CodeFile } from '../../protocol/project-code.js';
import type { Clock } from '../clock.js';
import type { RuntimeCatalog } from '../runtime-catalog.js';
import { sha256 } from '../sha256.js';

// Long enough for a burst of work, and short enough that a disk that fills up is seen.
const keptMs = 5000;
const mostKept = 200;

/** A start that is looked at before anything is started. */
export interface StartRequest {
  readonly runtime: RuntimeName;
  readonly posture: Posture;
  /** Left out where nobody knows yet. */
  readonly cwd?: string;
  /** What of the project's own code was approved; left out where nobody has looked yet. */
  readonly projectFiles?: readonly CodeFile[];
}

/** Sees to it that an agent is started only where it can work; what was found to be good is believed for a moment. */
export class Preflight {
  readonly #runtimes: Pick<RuntimeCatalog, 'findings' | 'thoroughFindings'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #good = new Map<string, { readonly until: number; readonly notices: readonly string[] }>();

  constructor(
    runtimes: Pick<RuntimeCatalog, 'findings' | 'thoroughFindings'>,
    clock: Pick<Clock, 'monotonic'>,
  ) {
    this.#runtimes = runtimes;
    this.#clock = clock;
  }

  /** What the thread is to be told; throws a Failure where the agent cannot be started so. */
  async expectReady(start: StartRequest): Promise<readonly string[]> {
    const key = sha256(JSON.stringify(start));
    const kept = this.#good.get(key);
    if (kept && kept.until > this.#clock.monotonic()) return kept.notices;
    const { refusal, notices } = preflightVerdict(await this.#runtimes.findings(start));
    this.#good.delete(key);
    // What is wrong is looked at again each time, because somebody may be mending it.
    if (refusal) throw refusal;
    if (this.#good.size >= mostKept) this.#good.clear();
    this.#good.set(key, { until: this.#clock.monotonic() + keptMs, notices });
    return notices;
  }

  /** Why an agent that has crashed could not have worked; null where nothing explains it. */
  async whyNot(start: StartRequest): Promise<Failure | null> {
    const findings = await this.#runtimes.thoroughFindings(start);
    return preflightVerdict(findings.filter(staysWrong)).refusal;
  }
}

/** A full disk and a silent proxy pass, and another try may find them so. */
function staysWrong({ subject }: Finding): boolean {
  return subject !== 'disk' && subject !== 'proxy';
}
