import { cutText } from '../../protocol/cut-text.js';
import { given } from '../../protocol/given.js';
import { plainLine, plainText } from '../words/plain-text.js';

const longestValue = 8000;
const mostOutputs = 50;
const mostCharacters = 32_000;
const longestQuoted = 80;
const assignment = /^([A-Za-z_][A-Za-z0-9_-]{0,63})(=|<<)(.*)$/;

/** What a phase gives to those after it. */
export interface PhaseOutputs {
  readonly outputs: Readonly<Record<string, string>>;
  /** What of it could not be read, or was too much, in a sentence. */
  readonly lost?: string;
}

/**
 * Lines `name=value`, or `name<<END`, any lines, and `END`. The text is anybody's: what cannot be read is left out and told, hidden
 * characters are taken away, and there is only so much of it.
 */
export function readOutputs(text: string): PhaseOutputs {
  const lines = text.split(/\r?\n/);
  // Without it, each mark that never comes would be looked for to the end of the file.
  const lastAt = new Map(lines.map((line, index) => [line, index]));
  const outputs = new Map<string, string>();
  const odd: number[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const [, name, sign, rest = ''] = assignment.exec(line) ?? [];
    const mark = rest.trim();
    if (name !== undefined && sign === '=') outputs.set(name, rest);
    else if (name !== undefined && mark !== '' && (lastAt.get(mark) ?? -1) > index) {
      const end = lines.indexOf(mark, index + 1);
      outputs.set(name, lines.slice(index + 1, end).join('\n'));
      index = end;
    } else if (line.trim() !== '') odd.push(index + 1);
  }
  return { outputs: boundedOutputs(outputs), ...given({ lost: lostWords(lines, odd, outputs) }) };
}

function lostWords(
  lines: readonly string[],
  [first, ...more]: readonly number[],
  outputs: ReadonlyMap<string, string>,
): string | undefined {
  if (first !== undefined) {
    const others = more.length > 0 ? ` (and ${more.length} more)` : '';
    const line = plainLine(lines[first - 1] ?? '', { maxLength: longestQuoted });
    return `line ${first} of $PIPELINE_OUTPUT${others} is neither name=value nor name<<END with its END: ${line}`;
  }
  return outputs.size > mostOutputs
    ? `it has ${outputs.size} outputs, of which the first ${mostOutputs} are kept`
    : undefined;
}

/** As much of them as is kept, as plain text. */
export function boundedOutputs(outputs: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  let room = mostCharacters;
  const kept = [...outputs].slice(0, mostOutputs).map(([name, value]) => {
    const plain = cutText(plainText(cutText(value, longestValue)), Math.min(longestValue, room));
    room -= plain.length;
    return [name, plain] as const;
  });
  // No name of it is one that objects have of their own.
  return Object.fromEntries(kept.filter(([name]) => name !== '__proto__'));
}
