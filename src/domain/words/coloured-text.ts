import { PlainStream } from './plain-stream.js';
import { TerminalSequences } from './terminal-sequence.js';

/** The hues that a terminal's colours are shown in; each is readable on every ground that it stands on. */
export const hues = ['grey', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const;
export type Hue = (typeof hues)[number];

/** How a piece of a terminal's text looks. Nothing hides it: there is neither concealed text nor one in its ground's colour. */
export interface TextStyle {
  readonly hue?: Hue;
  /** The hue of its ground; the text has the same hue then. */
  readonly ground?: Hue;
  readonly isBold?: true;
  readonly isFaint?: true;
  readonly isItalic?: true;
  readonly isUnderlined?: true;
}

export interface StyledRun {
  readonly text: string;
  readonly style: TextStyle;
}

export const plainStyle: TextStyle = {};

// A text that changes its colour with every character is shown in one from here on: a page has so many elements and no more.
const mostRuns = 2000;
const longestParameters = 100;
const cubeStep = 51;

/**
 * Text of a program as a person may see it, in the colours that it asked for; everything else that a terminal would obey is
 * taken out as by `plainText`. `after` is the style in which a part that follows begins. Linear in the text.
 */
export function colouredText(
  text: string,
  before: TextStyle = plainStyle,
): { readonly runs: readonly StyledRun[]; readonly after: TextStyle } {
  const runs: StyledRun[] = [];
  const sequences = new TerminalSequences(text);
  let style = before;
  let from = 0;
  const take = (to: number) => {
    const plain = plainPiece(text.slice(from, to));
    const last = runs.at(-1);
    if (plain === '') return;
    if (last && (last.style === style || runs.length >= mostRuns))
      runs[runs.length - 1] = { text: last.text + plain, style: last.style };
    else runs.push({ text: plain, style });
  };
  let rest: string[] | undefined;
  for (let at = nextEscape(text, 0); at < text.length; ) {
    const end = sequences.endFrom(at);
    if (typeof end !== 'number') {
      at = nextEscape(text, at + 1);
      continue;
    }
    if (text[end - 1] === 'm' && isControl(text, at)) {
      if (runs.length < mostRuns) take(at);
      else (rest ??= []).push(plainPiece(text.slice(from, at)));
      style = styleAfter(style, parametersOf(text, at, end));
      from = end;
    }
    at = nextEscape(text, end);
  }
  if (rest) {
    rest.push(plainPiece(text.slice(from)));
    runs.push({ text: rest.join(''), style: plainStyle });
  } else take(text.length);
  return { runs, after: style };
}

function plainPiece(text: string): string {
  if (text === '') return '';
  const stream = new PlainStream();
  return stream.push(text) + stream.flush();
}

function nextEscape(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x1b || (code >= 0x90 && code <= 0x9f)) return at;
  }
  return at;
}

function isControl(text: string, at: number): boolean {
  return text.charCodeAt(at) === 0x9b || text[at + 1] === '[';
}

function parametersOf(text: string, at: number, end: number): number[] {
  const first = text.charCodeAt(at) === 0x9b ? at + 1 : at + 2;
  const parameters = text.slice(first, Math.min(end - 1, first + longestParameters));
  // Sequences for a terminal's own use begin with one of these.
  if (/^[<-?]/.test(parameters)) return [];
  return parameters.split(/[;:]/).map((each) => (each === '' ? 0 : Number(each)));
}

function styleAfter(before: TextStyle, codes: readonly number[]): TextStyle {
  let style: TextStyle = before;
  for (let place = 0; place < codes.length; place += 1) {
    const code = codes[place] ?? 0;
    if (code === 38 || code === 48) {
      const { hue, length } = chosenHue(codes.slice(place + 1, place + 6));
      style = code === 38 ? withHue(style, hue) : withGround(style, hue);
      place += length;
    } else style = afterCode(style, code);
  }
  return style;
}

function afterCode(style: TextStyle, code: number): TextStyle {
  const { isBold: _bold, isFaint: _faint, ...light } = style;
  const { isItalic: _italic, ...upright } = style;
  const { isUnderlined: _line, ...bare } = style;
  if (code === 0) return plainStyle;
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isFaint: true };
  if (code === 3) return { ...style, isItalic: true };
  if (code === 4) return { ...style, isUnderlined: true };
  if (code === 7) return withGround(style, style.hue ?? 'grey');
  if (code === 22) return light;
  if (code === 23) return upright;
  if (code === 24) return bare;
  if (code === 27 || code === 49) return withGround(style, undefined);
  if (code === 39) return withHue(style, undefined);
  if (code >= 30 && code <= 37) return withHue(style, ofEight[code - 30]);
  if (code >= 90 && code <= 97) return withHue(style, ofEight[code - 90]);
  if (code >= 40 && code <= 47) return withGround(style, ofEight[code - 40]);
  if (code >= 100 && code <= 107) return withGround(style, ofEight[code - 100]);
  return style;
}

function withHue({ hue: _before, ...style }: TextStyle, hue: Hue | undefined): TextStyle {
  return hue === undefined ? style : { ...style, hue };
}

function withGround({ ground: _before, ...style }: TextStyle, ground: Hue | undefined): TextStyle {
  return ground === undefined ? style : { ...style, ground };
}

/** Black, which is grey here, to white, which is the colour that text has anyway. */
const ofEight = ['grey', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', undefined] as const;

/** What `5;n` and `2;r;g;b` choose, and how many numbers that took. */
function chosenHue(codes: readonly number[]): { readonly hue: Hue | undefined; readonly length: number } {
  const [kind, first = 0, second = 0, third = 0] = codes;
  if (kind === 2) return { hue: nearestHue(first, second, third), length: 4 };
  if (kind !== 5) return { hue: undefined, length: 0 };
  if (first < 16) return { hue: ofEight[first % 8], length: 2 };
  if (first >= 232) return { hue: first < 244 ? 'grey' : undefined, length: 2 };
  // A cube of six steps in each colour.
  const step = first - 16;
  const [red, green, blue] = [Math.floor(step / 36), Math.floor(step / 6) % 6, step % 6];
  const hue = nearestHue(red * cubeStep, green * cubeStep, blue * cubeStep);
  return { hue, length: 2 };
}

function nearestHue(red: number, green: number, blue: number): Hue | undefined {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < 48) return most > 160 ? undefined : 'grey';
  const middle = (most + least) / 2;
  const has = (value: number) => value > middle;
  if (has(red)) return has(green) ? 'yellow' : has(blue) ? 'magenta' : 'red';
  if (has(green)) return has(blue) ? 'cyan' : 'green';
  return 'blue';
}
