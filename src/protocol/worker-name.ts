import * as z from 'zod';

const word = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** What a worker is called where several share a store. */
export const WorkerName = z.string().max(60).regex(word);

/** What a worker says it is good for; work asks for it. */
export const WorkerLabel = z.string().max(60).regex(word);
