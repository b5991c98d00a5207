import { Failure, type FailureCode } from './failure.js';

/** A place in a text that a person wrote; columns count from 1, in units of JavaScript. */
export interface TextPlace {
  /** The text of the line. */
  readonly text: string;
  readonly line: number;
  readonly column: number;
  readonly length?: number;
}

/** A failure that is about one place in a text, so that the place can be pointed at. */
export class PlacedFailure extends Failure {
  readonly place: TextPlace;

  constructor(
    code: FailureCode,
    { where, sentence }: { readonly where: string; readonly sentence: string },
    { place, cause }: { readonly place: TextPlace; readonly cause?: unknown },
  ) {
    const words = `${where}, line ${place.line}, column ${place.column}: ${sentence}`;
    super(code, words, cause === undefined ? undefined : { cause });
    this.place = place;
  }
}
