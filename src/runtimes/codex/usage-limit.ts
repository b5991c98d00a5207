import { momentOf } from '../limit-moment.js';

/** One of the windows in which an account's use is counted. */
interface UsageWindow {
  readonly usedPercent?: number | undefined;
  readonly resetsAt?: number | null | undefined;
}

interface UsageWindows {
  readonly primary?: UsageWindow | null | undefined;
  readonly secondary?: UsageWindow | null | undefined;
}

/** What Codex says about the limits of its account; an answer without headers says null, and what was known still holds (measured). */
export class CodexUsageLimit {
  #known: UsageWindows = {};

  note({ primary, secondary }: UsageWindows): void {
    this.#known = { primary: primary ?? this.#known.primary, secondary: secondary ?? this.#known.secondary };
  }

  /** When every window that is used up begins anew; undefined where none is said to be. */
  get retryAt(): string | undefined {
    const ends = [this.#known.primary, this.#known.secondary].flatMap((window) =>
      (window?.usedPercent ?? 0) >= 100 ? (momentOf(window?.resetsAt) ?? []) : [],
    );
    return ends.toSorted((one, other) => one.localeCompare(other)).at(-1);
  }
}
