/** In which piece of work a prompt was asked. */
export const promptWorkColumn: readonly string[] = ['alter table prompts add column work text collate "C"'];
