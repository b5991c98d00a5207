import { plainText } from '../../domain/words/plain-text.js';
import { ExitCode } from '../../protocol/exit-code.js';
import type { Landing } from '../../protocol/landing.js';
import { writeJson, writeMessage } from '../output.js';

/** Tells what became of a landing, and gives the exit code. */
export function tellLanding(landing: Landing, { isJson }: { readonly isJson: boolean }): number {
  if (isJson) writeJson(landing);
  else {
    if (landing.output !== undefined) process.stderr.write(`${plainText(landing.output)}\n`);
    writeMessage(landing.sentence);
  }
  return landing.state === 'done' ? ExitCode.success : ExitCode.failure;
}
