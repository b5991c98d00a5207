import type { Colours } from '../terminal/colours.js';

/** What every table needs besides its rows. */
export interface TableContext {
  /** The ids among which short ones must be unique. */
  readonly ids: readonly string[];
  readonly now: number;
  readonly width: number;
  readonly colours: Colours;
}
