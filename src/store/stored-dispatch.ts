import * as z from 'zod';
import { Dispatch, DispatchRequest } from '../protocol/dispatch.js';
import { Lease } from './lease.js';

/** A dispatch with the request it was made from, and its lease while a worker drives it. */
export const StoredDispatch = Dispatch.extend({
  request: DispatchRequest,
  idempotencyKey: z.string().optional(),
  lease: Lease.optional(),
});
export type StoredDispatch = z.infer<typeof StoredDispatch>;

/** A dispatch as it is admitted: nobody has tried it yet. */
export type NewDispatch = Omit<StoredDispatch, 'attempts' | 'lease'>;
