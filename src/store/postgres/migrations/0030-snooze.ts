/** Until when somebody has put a thread off. */
export const snoozeColumn: readonly string[] = ['alter table threads add column snoozed text collate "C"'];
