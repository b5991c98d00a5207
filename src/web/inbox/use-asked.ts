import { useMemo } from 'react';
import { seenFolder } from '../../domain/container/seen-folder.js';
import { actionSheet } from '../../domain/prompts/action-sheet.js';
import { askedPlan } from '../../domain/prompts/asked-plan.js';
import type { SheetLine } from '../../domain/prompts/text-sheet.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { type Reading, useReading } from '../parts/use-reading.js';

/** What a prompt asks to be approved, line by line, and how much of it was read; a plan is one document with one end. */
export interface AskedAction {
  readonly lines: readonly SheetLine[];
  readonly plan: string | undefined;
  readonly reading: Reading;
}

export function useAsked({ kind, action }: Prompt, thread: Thread | undefined): AskedAction {
  const folder = seenFolder(thread);
  const plan = askedPlan(action);
  const lines = useMemo(
    () => (kind === 'approval' && action && plan === undefined ? actionSheet(action, { folder }) : []),
    [kind, action, plan, folder],
  );
  const reading = useReading(action, plan === undefined ? lines.length : 1);
  return { lines, plan, reading };
}
