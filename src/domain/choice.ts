import type { Question } from '../protocol/question.js';

/** What a text chooses of a question's options, as labels; a text that chooses nothing is itself the answer. */
export function choicesFromText(question: Question, text: string): string[] {
  const one = optionOf(question, text);
  if (one !== null) return [one];
  const several = question.multiSelect ? severalOf(question, text) : null;
  return several === null ? [text] : [...new Set(several)];
}

/** A bare number is a position before it is a label. */
function optionOf({ options }: Question, text: string): string | null {
  const wanted = text.trim();
  const byNumber = /^\d+$/.test(wanted) ? options[Number(wanted) - 1] : undefined;
  const byLabel = options.find(({ label }) => label.trim().toLowerCase() === wanted.toLowerCase());
  return (byNumber ?? byLabel)?.label ?? null;
}

/** Every part has to choose something; one that does not makes the whole text free. */
function severalOf(question: Question, text: string): string[] | null {
  const isNumbers = /^[\s,]*\d+(?:[\s,]+\d+)*[\s,]*$/.test(text);
  const parts = text.split(isNumbers ? /[\s,]+/ : ',').filter((part) => part.trim() !== '');
  const chosen: string[] = [];
  for (let from = 0; from < parts.length; ) {
    const next = longestOption(question, parts.slice(from));
    if (next === null) return null;
    chosen.push(next.label);
    from += next.length;
  }
  return chosen.length > 0 ? chosen : null;
}

/** The option that the most of the first parts name together, because a label may have commas of its own. */
function longestOption(
  question: Question,
  parts: readonly string[],
): { label: string; length: number } | null {
  const commas = Math.max(0, ...question.options.map(({ label }) => label.split(',').length - 1));
  for (let length = Math.min(parts.length, commas + 1); length > 0; length -= 1) {
    const label = optionOf(question, parts.slice(0, length).join(','));
    if (label !== null) return { label, length };
  }
  return null;
}
