import type { Prompt } from '../protocol/prompt.js';
import { likenessText } from './fingerprint.js';

/** Prompts that ask the same, the oldest first; one answer can serve them all. */
export type Alike = readonly [Prompt, ...Prompt[]];

/** Prompts in groups of equals, in the order of their oldest. */
export function alike(prompts: readonly Prompt[]): Alike[] {
  const groups = new Map<string, Alike>();
  for (const prompt of prompts) {
    const likeness = likenessText(prompt);
    const [first, ...others] = groups.get(likeness) ?? [];
    groups.set(likeness, first ? [first, ...others, prompt] : [prompt]);
  }
  return [...groups.values()];
}
