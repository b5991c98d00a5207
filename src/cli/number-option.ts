import { InvalidArgumentError } from 'commander';

/** Reads a port: 0 takes a free one. */
export function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('The port must be a number from 0 to 65535.');
}

/** Reads a whole number from 0 on. */
export function toCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 0 or more.');
}

/** Reads a whole number, which may be negative. */
export function toInteger(text: string): number {
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, such as 5 or -5.');
}

/** Reads a whole number from 1 on. */
export function toPositive(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 1 or more.');
}

/** Reads a length of time in seconds. */
export function toSeconds(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new InvalidArgumentError('It must be a number of seconds greater than 0.');
}
