/**
 * What stands in a text and shows nothing: Unicode's controls, its `Default_Ignorable_Code_Point`s (zero-width and
 * bidirectional characters, fillers, variation selectors, tags), the marks of interlinear annotation, and half
 * surrogate pairs. A table, because a text is looked up character by character; its test compares it with Unicode.
 */
const ranges = [
  [0x0000, 0x001f],
  [0x007f, 0x009f],
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
] as const;

// One byte for each of the first 65,536: text is mostly made of these, and this is asked for each of them.
const basicPlane = new Uint8Array(0x1_0000);
for (const [from, to] of ranges) basicPlane.fill(1, from, to + 1);
basicPlane[0x09] = 0;
basicPlane[0x0a] = 0;

const rarer = ranges.filter(([from]) => from > 0xffff);

/** Whether a character shows nothing; a line feed and a tab do. */
export function isUnseen(codePoint: number): boolean {
  if (codePoint < 0x1_0000) return basicPlane[codePoint] === 1;
  return rarer.some(([from, to]) => codePoint >= from && codePoint <= to);
}
