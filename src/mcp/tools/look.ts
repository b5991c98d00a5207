import * as z from 'zod';
import type { Client } from '../../client/client.js';
import { plainLine, plainText } from '../../domain/words/plain-text.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import { given } from '../../protocol/given.js';
import { DispatchId, ThreadId } from '../../protocol/id.js';
import { WorkStanding } from '../../protocol/thread-query.js';
import { followWork } from '../follow-work.js';
import { lookTool } from '../tool.js';
import { promptReport, told, workReport } from '../work-report.js';
import { seconds, workId } from './arguments.js';

const usualWaitSeconds = 50;
const usualRows = 20;
// A program hands what a tool says to a model, whose room is small.
const longestPatch = 60_000;
const mostFiles = 500;

/** The newest work. */
export const listTool = lookTool(
  {
    name: 'list',
    title: 'List work',
    description: 'Lists work, the newest first. A token for an agent sees what was given with it.',
    isReading: true,
    input: z.strictObject({
      state: WorkStanding.optional().describe('Only work in this state, or that ended so.'),
      thread: ThreadId.optional(),
      limit: z.int().min(1).max(100).optional(),
      cursor: z.string().min(1).max(1000).optional().describe('The next of an earlier list.'),
    }),
  },
  async ({ state, thread, limit = usualRows, cursor }, { client, identity }) => {
    const page = await client.dispatches.list({
      order: 'newest_first',
      limit,
      ...given({ state, thread, cursor }),
      ...(identity.scope === 'agent' && { mine: true as const }),
    });
    return told({ work: page.dispatches.map(workReport), ...given({ next: page.next }) });
  },
);

/** How one piece of work or one thread stands, with its open prompts. */
export const statusTool = lookTool(
  {
    name: 'status',
    title: 'How work stands',
    description:
      'Tells how a piece of work or a thread stands, what its agent is doing, and what it asks. Without an id: everything ' +
      'that has not ended, and every open prompt.',
    isReading: true,
    input: z.strictObject({ id: workId.optional() }),
  },
  async ({ id }, { client, identity }) => {
    if (id === undefined && identity.scope !== 'agent') return told(await standing(client));
    if (id === undefined) {
      const { dispatches } = await client.dispatches.list({
        mine: true,
        order: 'newest_first',
        limit: usualRows,
      });
      return told({ work: dispatches.filter(({ state }) => state !== 'ended').map(workReport) });
    }
    const dispatch = await workOf(client, id);
    const thread = await client.threads.get(dispatch?.threadId ?? ThreadId.parse(id));
    const prompts = await client.prompts.open({ thread: thread.id });
    const { runtime, workspace, status, activity } = thread;
    return told({
      ...(dispatch && workReport(dispatch)),
      agent: {
        thread: thread.id,
        runtime,
        workspace: workspace.path,
        status: status.state,
        why: plainLine(status.why, { maxLength: 500 }),
        ...(activity !== undefined && { activity: plainLine(activity, { maxLength: 500 }) }),
      },
      prompts: prompts.map((prompt) => promptReport(prompt, thread)),
    });
  },
);

/** Waits for the end of work; an open prompt is offered to the person, or ends the waiting. */
export const waitTool = lookTool(
  {
    name: 'wait',
    title: 'Wait for work to end',
    description:
      'Waits until work has ended and tells its outcome. It returns earlier when the work asks something that nobody ' +
      'answers here, or when the time is over; then call it again.',
    isReading: true,
    input: z.strictObject({ id: workId, seconds }),
  },
  async ({ id, seconds: wait = usualWaitSeconds }, call) => {
    const { client } = call;
    const begun = await workOf(client, id);
    if (!begun) return told({ thread: id, note: 'This thread has no work.' });
    const { dispatch, notes } = await followWork(begun.id, call, { seconds: wait });
    return told(await followedReport(client, dispatch, notes));
  },
);

/** What became of work while somebody waited, with what it asks where it waits. */
export async function followedReport(client: Client, dispatch: Dispatch, notes: readonly string[]) {
  if (dispatch.state !== 'waiting') return { ...workReport(dispatch), ...(notes.length > 0 && { notes }) };
  const thread = await client.threads.get(dispatch.threadId);
  const prompts = await client.prompts.open({ thread: thread.id });
  return {
    ...workReport(dispatch),
    prompts: prompts.map((prompt) => promptReport(prompt, thread)),
    ...(notes.length > 0 && { notes }),
  };
}

/** What the work of a thread changed. */
export const diffTool = lookTool(
  {
    name: 'diff',
    title: 'What work changed',
    description: 'Shows what the work of a thread changed: the files, and the difference as a patch.',
    isReading: true,
    input: z.strictObject({
      id: workId,
      files: z.boolean().optional().describe('Only which files, and how many lines.'),
    }),
  },
  async ({ id, files: isShort = false }, { client }) => {
    const dispatch = DispatchId.safeParse(id).data;
    const thread =
      dispatch === undefined ? ThreadId.parse(id) : (await client.dispatches.get(dispatch)).threadId;
    const { base, files, patch, notes } = await client.threads.diff(thread);
    const shown = plainText(patch, { maxLength: longestPatch });
    return told({
      thread,
      base: { ...base, why: plainLine(base.why) },
      files: files
        .slice(0, mostFiles)
        .map(({ path, ...file }) => ({ path: plainLine(path, { maxLength: 4096 }), ...file })),
      ...(files.length > mostFiles && { moreFiles: files.length - mostFiles }),
      ...(!isShort && { patch: shown, isCut: shown.length < patch.length }),
      notes: notes.map((note) => plainLine(note)),
    });
  },
);

async function workOf(client: Client, id: DispatchId | ThreadId): Promise<Dispatch | undefined> {
  const dispatch = DispatchId.safeParse(id).data;
  if (dispatch !== undefined) return await client.dispatches.get(dispatch);
  const thread = ThreadId.parse(id);
  return (await client.dispatches.list({ thread, order: 'newest_first', limit: 1 })).dispatches[0];
}

async function standing(client: Client) {
  const states = ['running', 'waiting', 'queued'] as const;
  const pages = await Promise.all(states.map((state) => client.dispatches.list({ state, limit: 50 })));
  const { prompts } = await client.prompts.list({ open: true, limit: 50 });
  const threads = await Promise.all(prompts.map(({ threadId }) => client.threads.get(threadId)));
  return {
    work: pages.flatMap(({ dispatches }) => dispatches.map(workReport)),
    prompts: prompts.map((prompt, index) => promptReport(prompt, threads[index])),
  };
}
