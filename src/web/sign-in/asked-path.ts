// The link that signs in may open in another tab, so all tabs share it; what was asked for long ago is wanted no more.
const key = 'handraise-asked-path';
const wantedMs = 15 * 60_000;

/** Remembers which page somebody wanted who is not signed in. */
export function keepAskedPath(path: string, now: number): void {
  try {
    localStorage.setItem(key, `${now} ${path}`);
  } catch {
    // Whoever signs in begins at the first page, then.
  }
}

/** The page that was asked for before the sign-in; told once. */
export function takeAskedPath(now: number): string | undefined {
  try {
    const [, at, path] = /^(\d+) (\/.*)$/.exec(localStorage.getItem(key) ?? '') ?? [];
    localStorage.removeItem(key);
    return now - Number(at) < wantedMs ? path : undefined;
  } catch {
    return undefined;
  }
}
