import pc from 'picocolors';

type Paint = (text: string) => string;

/** The colours of one stream; without colour each returns its text as it is. */
export interface Colours {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly orange: Paint;
  readonly cyan: Paint;
  readonly magenta: Paint;
  readonly inverse: Paint;
}

/** What decides about colour. */
export interface ColourWishes {
  readonly isTty: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly args: readonly string[];
}

/** A flag beats FORCE_COLOR, which beats NO_COLOR, which beats what the stream is. */
export function wantsColour({ isTty, env, args }: ColourWishes): boolean {
  if (args.includes('--no-color')) return false;
  const { FORCE_COLOR: force, NO_COLOR: refused, TERM: term } = env;
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if (refused !== undefined && refused !== '') return false;
  return isTty && term !== 'dumb';
}

/** The colours for stdout or stderr, as this process was asked to use them. */
export function coloursOf(stream: { readonly isTTY?: boolean }): Colours {
  const isTty = stream.isTTY === true;
  return palette({ isColoured: wantsColour({ isTty, env: process.env, args: process.argv }) });
}

export function palette({ isColoured }: { readonly isColoured: boolean }): Colours {
  const { bold, dim, red, green, yellow, cyan, magenta, inverse } = pc.createColors(isColoured);
  // Orange is none of the sixteen colours that every terminal has.
  const orange: Paint = (text) => (isColoured ? `\u001B[38;5;208m${text}\u001B[39m` : text);
  return { bold, dim, red, green, yellow, orange, cyan, magenta, inverse };
}
