/** The moment of a limit's end, which runtimes give in seconds since 1970; undefined where it is none. */
export function momentOf(seconds: number | null | undefined): string | undefined {
  if (seconds === null || seconds === undefined || !(seconds > 0) || seconds > 8.64e12) return undefined;
  return new Date(seconds * 1000).toISOString();
}
