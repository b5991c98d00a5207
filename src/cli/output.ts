/** Writes data: what a script reads. */
export function writeLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes a message: what a person reads. */
export function writeMessage(text: string): void {
  process.stderr.write(`handraise: ${text}\n`);
}
