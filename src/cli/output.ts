/** Writes data: what a script reads. */
export function writeLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes data as JSON: a value on one line, so that a stream of them is JSON lines. */
export function writeJson(value: unknown): void {
  writeLine(JSON.stringify(value));
}

/** Writes a message: what a person reads. */
export function writeMessage(text: string): void {
  process.stderr.write(`handraise: ${text}\n`);
}

/** How wide lines for a person may be; what is piped is never cut. A terminal that does not know its width says 0. */
export function lineWidth(stream: { readonly isTTY?: boolean; readonly columns?: number }): number {
  return stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY;
}
