import { cutText } from '../../protocol/cut-text.js';
import { plainText } from '../words/plain-text.js';

const longestValue = 8000;
const mostOutputs = 50;
const mostCharacters = 32_000;
const assignment = /^([A-Za-z_][A-Za-z0-9_-]{0,63})(=|<<)(.*)$/;

/**
 * What a phase gives to those after it: lines `name=value`, or `name<<END`, any lines, and `END`. The text is anybody's:
 * what cannot be read is left out, hidden characters are taken away, and there is only so much of it.
 */
export function readOutputs(text: string): Readonly<Record<string, string>> {
  const lines = text.split(/\r?\n/);
  const outputs = new Map<string, string>();
  for (let index = 0; index < lines.length; index += 1) {
    const [, name, sign, rest = ''] = assignment.exec(lines[index] ?? '') ?? [];
    if (name === undefined) continue;
    if (sign === '=') {
      outputs.set(name, rest);
      continue;
    }
    const end = lines.indexOf(rest.trim(), index + 1);
    if (end === -1 || rest.trim() === '') continue;
    outputs.set(name, lines.slice(index + 1, end).join('\n'));
    index = end;
  }
  return boundedOutputs(outputs);
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
