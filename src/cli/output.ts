import { plainText } from '../domain/words/plain-text.js';

/** Writes data: what a script reads. */
export function writeLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes data as JSON: a value on one line, so that a stream of them is JSON lines. */
export function writeJson(value: unknown): void {
  writeLine(seenJson(value));
}

/** JSON without characters that steer a terminal or hide; they are escaped, so that the value is the same. */
export function seenJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Writes a message: what a person reads. Names and values in it may come from anywhere. */
export function writeMessage(text: string): void {
  process.stderr.write(`handraise: ${plainText(text)}\n`);
}

/** How wide lines for a person may be; what is piped is never cut. A terminal that does not know its width says 0. */
export function lineWidth(stream: { readonly isTTY?: boolean; readonly columns?: number }): number {
  return stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY;
}
