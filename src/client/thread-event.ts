import * as z from 'zod';
import { type EventBody, type EventType, eventDefinitions, eventSchema } from '../protocol/event.js';
import {
  type ThreadEventBody,
  type ThreadEventType,
  threadEventDefinitions,
  threadEventSchema,
} from '../protocol/thread-event.js';

/** An event with its place in the thread; live text has no place. A newer worker may tell more than is known here. */
export const FollowedEvent = z.looseObject({
  seq: z.int().positive().nullable().default(null),
  type: z.string(),
  timestamp: z.string(),
  runId: z.string().nullable().optional(),
});
export type FollowedEvent = z.infer<typeof FollowedEvent>;

/** A fact of a thread, reported by a runner or by the worker. */
export type Fact = EventBody | ThreadEventBody;

/** What an event says, with its fields typed; undefined for a type or a shape that is not known here. */
export function factOf(event: FollowedEvent): Fact | undefined {
  const parsed = schemaOf(event.type)?.safeParse(event);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of exactly this type has accepted it
  return parsed?.success ? (parsed.data as Fact) : undefined;
}

const schemas = new Map<string, z.ZodType>();

function schemaOf(type: string): z.ZodType | undefined {
  const known = schemas.get(type);
  if (known) return known;
  const schema = isRunnerType(type)
    ? eventSchema(type)
    : isWorkerType(type)
      ? threadEventSchema(type)
      : undefined;
  if (schema) schemas.set(type, schema);
  return schema;
}

function isRunnerType(type: string): type is EventType {
  return Object.hasOwn(eventDefinitions, type);
}

function isWorkerType(type: string): type is ThreadEventType {
  return Object.hasOwn(threadEventDefinitions, type);
}
