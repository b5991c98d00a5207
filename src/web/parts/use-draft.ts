import { useState } from 'react';
import type * as z from 'zod';

/**
 * What somebody typed and has not sent: kept in this tab, so that it outlives a reload and a new sign-in.
 * Without a name it is kept for as long as its part is shown.
 */
export function useDraft<Draft>(
  name: string | undefined,
  schema: z.ZodType<Draft>,
  empty: Draft,
): [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(() => (name === undefined ? undefined : stored(name, schema)) ?? empty);
  return [
    draft,
    (next) => {
      setDraft(next);
      if (name === undefined) return;
      if (JSON.stringify(next) === JSON.stringify(empty)) forgetDraft(name);
      else store(name, next);
    },
  ];
}

export function forgetDraft(name: string): void {
  try {
    sessionStorage.removeItem(keyOf(name));
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

function stored<Draft>(name: string, schema: z.ZodType<Draft>): Draft | undefined {
  try {
    return schema.safeParse(JSON.parse(sessionStorage.getItem(keyOf(name)) ?? 'null')).data;
  } catch {
    return undefined;
  }
}

function store(name: string, draft: unknown): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(draft));
  } catch {
    // Kept for as long as the page is open, then.
  }
}

function keyOf(name: string): string {
  return `handraise-draft ${name}`;
}
