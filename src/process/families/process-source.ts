import type { ProcessKey } from './process-key.js';

/** One process as it was at the moment of reading; `sid` is null where the system does not tell (macOS). */
export type ProcessRow = {
  pid: number;
  ppid: number;
  pgid: number;
  sid: number | null;
  state: string;
  name: string;
  identity: ProcessKey;
};

/** A variable that every process of a run inherits, by which its strays are found. */
export type EnvironmentMarker = { name: string; value: string };

/** How one system tells about its processes, zombies included. */
export type ProcessSource = {
  all: () => ProcessRow[];
  one: (pid: number) => ProcessRow | null;
  /** The row of a pid, of its parent, and so on up to the first process. */
  line: (pid: number) => ProcessRow[];
  /** The values that these processes were started with for a variable. */
  valuesIn: (pids: readonly number[], name: string) => Set<string>;
  marked: (marker: EnvironmentMarker) => Set<number>;
  /** Every value that some process has for a variable. */
  values: (name: string) => Set<string>;
};
