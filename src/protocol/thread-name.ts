import * as z from 'zod';
import { idPrefix } from './id.js';

const longestName = 64;
const words = new Set(['last', 'all']);
const idBeginnings = Object.values(idPrefix).map((prefix) => `${prefix}_`);

/** What a person calls a thread instead of its id: on a command line it must be one word, and never look like an id. */
export const ThreadName = z
  .string()
  .max(longestName, `A name has at most ${longestName} characters.`)
  .regex(
    /^[A-Za-z][A-Za-z0-9._-]*$/,
    'A name begins with a letter; letters of the English alphabet, digits, ".", "_" and "-" may follow.',
  )
  .refine((name) => !words.has(name.toLowerCase()), 'This word already means something else. Choose another.')
  .refine(
    (name) => !idBeginnings.some((beginning) => name.toLowerCase().startsWith(beginning)),
    'A name may not begin like an id.',
  );
