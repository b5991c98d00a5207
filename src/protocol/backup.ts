import * as z from 'zod';
import { requestObject } from './request-object.js';

/** Where the store is written to: a new file on the machine of the worker. */
export const BackupRequest = requestObject({
  file: z
    .string()
    .min(1)
    .max(4096)
    .refine((file) => file.startsWith('/') && !file.includes('\0'), { message: 'must be an absolute path' })
    .describe("The absolute path of a file that is not there yet, on the worker's machine."),
});
export type BackupRequest = z.infer<typeof BackupRequest>;

/** A backup that is on the disk. */
export const BackupReport = z.object({
  file: z.string(),
  bytes: z.int().nonnegative(),
  at: z.iso.datetime().describe('Everything that was acknowledged before this is in it.'),
  store: z.string().describe('Where it is to be put back.'),
});
export type BackupReport = z.infer<typeof BackupReport>;
