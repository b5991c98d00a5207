/** What an error of unknown origin says. */
export function errorSentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
