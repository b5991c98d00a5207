import * as z from 'zod';
import { commandDefinitions, commandSchema } from './command.js';
import { AckFrame, AttachFrame, HelloFrame, LaunchFrame, SpareFrame } from './detached.js';
import { Dispatch, DispatchRequest } from './dispatch.js';
import { type EventType, eventDefinitions, eventSchema } from './event.js';
import { PendingPromptItem, ResolvedPromptItem, UserItem } from './item.js';
import { keysOf } from './keys.js';
import { NeedsInputFile } from './needs-input.js';
import { Outcome } from './outcome.js';
import { PipelineFile } from './pipeline-file.js';
import { McpServerFile, Posture } from './posture.js';
import { Answer, Prompt } from './prompt.js';
import { CommentsFrame } from './review-comment.js';
import { Run } from './run.js';
import { StatusEvidence, StatusReport } from './status.js';
import { Thread } from './thread.js';

/** Everything that gets a JSON Schema, by file name. */
const documents = {
  answer: () => Answer,
  command: () => z.union(commandTypes.map(commandSchema)),
  detached: () => z.union([HelloFrame, AttachFrame, AckFrame, CommentsFrame, SpareFrame, LaunchFrame]),
  dispatch: () => Dispatch,
  'dispatch-request': () => DispatchRequest,
  event: () => z.union(eventTypes.map((type) => eventSchema(type).meta({ description: deliveryOf(type) }))),
  item: () => z.union([PendingPromptItem, ResolvedPromptItem, UserItem]),
  'mcp-servers': () => McpServerFile,
  'needs-input': () => NeedsInputFile,
  outcome: () => Outcome,
  'pipeline-file': () => PipelineFile,
  posture: () => Posture,
  prompt: () => Prompt,
  run: () => Run,
  status: () => z.union([StatusReport, StatusEvidence]),
  thread: () => Thread,
} satisfies Record<string, () => z.ZodType>;

const commandTypes = keysOf(commandDefinitions);
const eventTypes = keysOf(eventDefinitions);

function deliveryOf(type: EventType): string {
  return eventDefinitions[type].delivery === 'live'
    ? 'Live: never journalled or replayed.'
    : 'Durable: journalled and replayed.';
}

/** The JSON Schema (draft 2020-12) of everything on the wire, by name; unknown fields are allowed. */
export function jsonSchemas(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(documents).map(([name, schema]) => [
      name,
      { $id: `urn:handraise:schema:${name}`, ...z.toJSONSchema(schema(), { io: 'input' }) },
    ]),
  );
}
