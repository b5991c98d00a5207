import { Failure } from '../protocol/failure.js';

const word = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gsu;
const quoted = /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gsu;

/** The words of a command line, split and unquoted as a shell does it; nothing else of a shell is there. */
export function wordsOf(command: string): string[] {
  const words = command.match(word) ?? [];
  if (words.length === 0 || command.replaceAll(word, '').trim() !== '')
    throw new Failure(
      'usage',
      `The command ${JSON.stringify(command)} cannot be split: a quote is not closed.`,
    );
  return words.map((each) =>
    each.replaceAll(quoted, (_, escaped?: string, inDouble?: string, inSingle?: string) =>
      inDouble === undefined ? (escaped ?? inSingle ?? '') : inDouble.replaceAll(/\\(["\\$`])/gu, '$1'),
    ),
  );
}
