import type { Value } from '../sql/steps.js';

/** A row as a database gives it: text, numbers and nulls. */
export type MovedRow = Readonly<Record<string, string | number | null>>;

/** The words of a thread or an event, as they are searched for. */
export interface FoundText {
  readonly threadId: string;
  readonly seq: number;
  readonly text: string;
}

/** One of the two databases of a move. Nobody else works with it as long as it is open. */
export interface StoreEnd extends AsyncDisposable {
  /** For people, without a password. */
  readonly place: string;
  /** How a statement names its value with this number, from 1. */
  readonly placeholder: (number: number) => string;
  rows(sql: string, values?: readonly Value[]): Promise<readonly MovedRow[]>;
  columnsOf(table: string): Promise<readonly string[]>;
}

/** The database that everything is moved to: all of it is there after `finish`, and nothing before. */
export interface TargetEnd extends StoreEnd {
  insert(table: string, columns: readonly string[], rows: readonly MovedRow[]): Promise<void>;
  addTexts(texts: readonly FoundText[]): Promise<void>;
  finish(): Promise<void>;
}
