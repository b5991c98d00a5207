/** How much of what there is waits for somebody, of the whole store. */
export interface Standing {
  readonly dispatches: { readonly queued: number; readonly running: number; readonly waiting: number };
  /** Questions without an answer, and since when the oldest waits. */
  readonly openPrompts: number;
  readonly oldestPromptAt: string | null;
  /** Notifications that were not sent yet. */
  readonly unsent: number;
}
