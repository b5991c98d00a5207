import * as z from 'zod';
import { workAttachments, workOfAgents } from './asking-work.js';

/** What a request is about; a token of scope agent gets only at what it made itself. */
type Subject = 'new work' | 'thread' | 'dispatch' | 'prompt' | 'thread of the query' | 'own work' | 'itself';

/** One thing that a token of scope agent may do, and every field that it may send; what is not named here is refused. */
export interface AgentRight {
  readonly about: Subject;
  /** It makes an agent work, so a person must be asked about what that agent does. */
  readonly isWork?: true;
  readonly query?: readonly string[];
  readonly headers?: readonly string[];
  readonly body?: z.ZodType;
}

/** A message for later; the answer to a question it cannot be. */
const message = z.strictObject({
  content: z.array(z.strictObject({ type: z.literal('text'), text: z.string() })),
  attachments: workAttachments,
  metadata: z.strictObject({ queue: z.literal(true).optional() }).optional(),
});

const page = ['cursor', 'limit', 'order'];
const part = ['after', 'limit'];

/** By the name of the operation in the OpenAPI document. */
export const agentRights: Readonly<Partial<Record<string, AgentRight>>> = {
  submitDispatch: { about: 'new work', isWork: true, headers: ['idempotency-key'], body: workOfAgents },
  listDispatches: { about: 'own work', query: ['thread', 'mine', 'state', ...page] },
  getIdentity: { about: 'itself' },
  getDispatch: { about: 'dispatch', query: ['wait'] },
  cancelDispatch: { about: 'dispatch' },
  retryDispatch: { about: 'dispatch', isWork: true },
  getThread: { about: 'thread' },
  listItems: { about: 'thread', query: part },
  listEvents: { about: 'thread', query: [...part, 'live'], headers: ['last-event-id'] },
  getToolOutput: { about: 'thread', query: part },
  getStatusLog: { about: 'thread', query: page },
  getDiff: { about: 'thread' },
  getChanges: { about: 'thread', query: ['cursor', 'limit', 'hunks', 'path'] },
  getChangedFileLines: { about: 'thread', query: ['path', 'side', 'from', 'count'] },
  postItem: { about: 'thread', isWork: true, body: message },
  setModel: { about: 'thread', body: z.strictObject({ model: z.string() }) },
  interruptThread: { about: 'thread' },
  stopThread: { about: 'thread' },
  removeWorktree: { about: 'thread' },
  listPrompts: { about: 'thread of the query', query: ['thread', 'state', 'open', ...page] },
  getPrompt: { about: 'prompt' },
};
