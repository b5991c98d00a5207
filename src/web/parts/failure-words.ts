/** What went wrong, as a sentence for a person. */
export function failureWords(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
