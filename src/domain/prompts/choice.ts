import type { Question } from '../../protocol/question.js';

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
  const lower = wanted.toLowerCase();
  const byLabel = options.find(({ label }) => label.trim().toLowerCase() === lower);
  return numbered(options, wanted) ?? byLabel?.label ?? null;
}

function numbered(options: Question['options'], wanted: string): string | undefined {
  return /^\d+$/.test(wanted) ? options[Number(wanted) - 1]?.label : undefined;
}

// Nobody names more; a longer text is read as it is.
const mostParts = 1000;

/** Every part has to choose something; one that does not makes the whole text free. */
function severalOf({ options }: Question, text: string): string[] | null {
  const isNumbers = /^[\s,]*\d+(?:[\s,]+\d+)*[\s,]*$/.test(text);
  const parts = text.split(isNumbers ? /[\s,]+/ : ',').filter((part) => part.trim() !== '');
  if (parts.length > mostParts) return null;
  const labels = new Map(
    options.map(({ label }) => [label.trim().toLowerCase(), label] as const).toReversed(),
  );
  // The option that the most of the next parts name together comes first, because a label may have commas of its own.
  const lengths = [...new Set([1, ...options.map(({ label }) => label.split(',').length)])].toSorted(
    (one, other) => other - one,
  );
  const chosen: string[] = [];
  for (let from = 0; from < parts.length; ) {
    const next = lengths
      .filter((length) => from + length <= parts.length)
      .map((length) => ({
        length,
        wanted: parts
          .slice(from, from + length)
          .join(',')
          .trim(),
      }))
      .map(({ length, wanted }) => ({
        length,
        label: numbered(options, wanted) ?? labels.get(wanted.toLowerCase()),
      }))
      .find(({ label }) => label !== undefined);
    if (next?.label === undefined) return null;
    chosen.push(next.label);
    from += next.length;
  }
  return chosen.length > 0 ? chosen : null;
}
