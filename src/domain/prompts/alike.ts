import type { Prompt } from '../../protocol/prompt.js';
import { likenessText } from './fingerprint.js';

/** Prompts that ask the same, the oldest first; one answer can serve them all. */
export type Alike = readonly [Prompt, ...Prompt[]];

// Lists are drawn with every change of the overview, and an action may have megabytes.
const likenesses = new WeakMap<Prompt, string>();

/** Prompts in groups of equals, in the order of their oldest. */
export function alike(prompts: readonly Prompt[]): Alike[] {
  const groups = new Map<string, [Prompt, ...Prompt[]]>();
  for (const prompt of prompts) {
    const likeness = likenesses.get(prompt) ?? likenessText(prompt);
    likenesses.set(prompt, likeness);
    const group = groups.get(likeness);
    if (group) group.push(prompt);
    else groups.set(likeness, [prompt]);
  }
  return [...groups.values()];
}
