// Measured with micromark 4: emphasis takes time with the square of its marks (5,000 times `*_` three seconds), every block
// costs a tenth of a millisecond or more (5,000 times `=` on a line of its own one and a half seconds), and every quote or
// list within another one takes a call of its own, until the stack is full and the page gone.
const longest = 10_000;
const mostEmphasis = 500;
const mostMarks = 1500;
const mostLines = 500;
const deepest = 32;

/** Whether an agent's text can be shown as Markdown; one that nobody would write by hand is shown as it is. */
export function isWithinMarkdownLimit(text: string): boolean {
  if (text.length > longest) return false;
  const lines = text.split(/\r\n|\r|\n/);
  return (
    lines.length <= mostLines &&
    countOf(text, /[*_~]/g) <= mostEmphasis &&
    countOf(text, /[*_~[\]!`<>|&@\\]/g) <= mostMarks &&
    lines.every((line) => depthOf(line) <= deepest)
  );
}

function countOf(text: string, marks: RegExp): number {
  return text.match(marks)?.length ?? 0;
}

/** How many quotes and lists a line begins within each other. */
function depthOf(line: string): number {
  let depth = 0;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '>') depth += 1;
    else if ('-*+.)'.includes(character)) {
      const next = line[at + 1];
      if (next !== ' ' && next !== '\t') break;
      depth += 1;
    } else if (!/[ \t\d]/.test(character)) break;
  }
  return depth;
}
