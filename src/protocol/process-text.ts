import * as z from 'zod';

/** A text that a process can be given, as an argument or in its environment. */
export const ProcessText = z
  .string()
  .refine((text) => !text.includes('\0'), 'holds the character NUL, which no program can be given');
