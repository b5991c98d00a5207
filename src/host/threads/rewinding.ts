import * as z from 'zod';
import { Failure } from '../../protocol/failure.js';
import type { RunId, ThreadId } from '../../protocol/id.js';
import type { StoredEvent } from '../../store/stored-event.js';
import { agentReply } from '../runs/agent-reply.js';
import type { AttachedRunners } from '../runs/attached-runners.js';
import type { ThreadChanges } from './thread-changes.js';

// A workspace may be large; whoever waits longer is told so, and the thread tells what comes of it.
const patienceMs = 120_000;

export interface Rewind {
  readonly threadId: ThreadId;
  readonly runId: RunId;
  readonly checkpointUuid: string;
  readonly commandId: string;
}

const FilesRewound = z.object({
  checkpointUuid: z.string(),
  success: z.boolean(),
  error: z.string().optional(),
});

/** Has the files of an agent's workspace put back, and waits until they are; what cannot be is a failure. */
export async function rewindFiles(
  parts: { readonly changes: ThreadChanges; readonly runners: AttachedRunners },
  { threadId, runId, checkpointUuid, commandId }: Rewind,
): Promise<void> {
  const command = { type: 'rewind_files', checkpointUuid, commandId };
  const read = ({ type, json }: StoredEvent) => {
    if (type !== 'files_rewound') return undefined;
    const event = FilesRewound.parse(JSON.parse(json));
    if (event.checkpointUuid !== checkpointUuid) return undefined;
    return event.success ? event : new Failure('conflict', event.error ?? 'The files could not be restored.');
  };
  const done = 'restored the files';
  await agentReply(parts, { threadId, runId, command, done, patienceMs, refusal: 'conflict', read });
}
