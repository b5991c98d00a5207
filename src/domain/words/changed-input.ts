import { cutText } from '../../protocol/cut-text.js';
import { canonicalJson } from '../prompts/fingerprint.js';
import { plainLine } from './plain-text.js';
import { callName, tellingField, toolWords, withRelativePaths } from './tool-words.js';

type Input = Readonly<Record<string, unknown>>;

const longest = 200;

/** What was changed of an input that an agent proposed: each field that differs, as it became and as it was. */
export function changedInput(proposed: Input, changed: Input): string {
  const names = [...new Set([...Object.keys(changed), ...Object.keys(proposed)])].filter(
    (name) => canonicalJson([changed[name]]) !== canonicalJson([proposed[name]]),
  );
  const [first = ''] = names;
  const isPlain = names.length === 1 && first === tellingField(changed) && first in proposed;
  return names
    .map((name) => {
      const now = name in changed ? valueWords(changed[name]) : '(left out)';
      const before = name in proposed ? ` (proposed: ${valueWords(proposed[name])})` : ' (not proposed)';
      return `${isPlain ? '' : `${name}: `}${now}${before}`;
    })
    .join(', ');
}

/** A tool call that ran with another input than the agent had proposed, in a few words. */
export function ranWords(
  tool: string,
  inputs: { readonly proposed: Input; readonly ran: Input },
  folder?: string,
): string {
  const seen = (input: Input) => (folder === undefined ? input : withRelativePaths(input, folder));
  const [proposed, ran] = [seen(inputs.proposed), seen(inputs.ran)];
  const changes = changedInput(proposed, ran);
  // The same file, once with its folder and once without.
  if (changes === '') return toolWords(tool, ran);
  const field = tellingField(ran);
  const isSameSubject = field !== undefined && proposed[field] === ran[field];
  return plainLine(
    isSameSubject ? `${toolWords(tool, ran)}, with changes: ${changes}` : `${callName(tool)} ${changes}`,
  );
}

/** A value on one line; a line break shows as one, so that two commands never read as one. */
function valueWords(value: unknown): string {
  const text = typeof value === 'string' && !/[\r\n]/.test(value) ? value : JSON.stringify(value);
  const shown = cutText(text, longest);
  return shown === text ? text : `${shown}… (${text.length - shown.length} more characters)`;
}
