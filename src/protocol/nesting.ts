/** How deep a value may be nested. Whatever copies or writes JSON calls itself once per level, and ends with its stack. */
export const deepestNesting = 500;

/** Whether a value can be copied, written and shown, however it is nested. */
export function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepestNesting) return false;
    level = level.flatMap((each): unknown[] =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
  }
  return true;
}

const opening = new Set(['[', '{'].map((sign) => sign.charCodeAt(0)));
const closing = new Set([']', '}'].map((sign) => sign.charCodeAt(0)));
const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);

/** Whether JSON is nested deeper than so many levels, told from its text alone. */
export function isNestedDeeper(json: string, levels: number): boolean {
  // Every level takes two characters.
  if (json.length <= 2 * levels) return false;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charCodeAt(at);
    if (sign === backslash) at += 1;
    else if (sign === quote) isInText = !isInText;
    else if (isInText) continue;
    else if (opening.has(sign)) depth += 1;
    else if (closing.has(sign)) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}
