import * as z from 'zod';

/** Something to be done outside the store, at least once, after the unit that put it here was committed. */
export const OutboxEntry = z.object({
  id: z.string(),
  kind: z.string(),
  payload: z.record(z.string(), z.unknown()),
  dueAt: z.iso.datetime(),
  tries: z.int().nonnegative(),
});
export type OutboxEntry = z.infer<typeof OutboxEntry>;

/** An entry as it is put; putting the same id again changes nothing. */
export type NewOutboxEntry = Omit<OutboxEntry, 'tries'>;
