/** The system's code of an error (`ENOENT`, `ELOOP`, …), or undefined for an error of another kind. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
