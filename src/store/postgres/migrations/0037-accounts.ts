/** Which account of its runtime a thread uses; null is the worker's own. */
export const accountColumn: readonly string[] = ['alter table threads add column account text collate "C"'];
