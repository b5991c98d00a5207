import type { Colours } from '../terminal/colours.js';

/** How the console is drawn here. */
export interface Look {
  readonly columns: number;
  readonly rows: number;
  readonly colours: Colours;
  readonly isUnicode: boolean;
}
