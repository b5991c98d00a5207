import * as z from 'zod';
import type { Attachment } from '../../protocol/attachment.js';
import { type EventType, eventDefinitions } from '../../protocol/event.js';
import { given } from '../../protocol/given.js';
import { type ThreadEventType, threadEventDefinitions } from '../../protocol/thread-event.js';
import type { ThreadItem } from '../../protocol/thread-item.js';
import { exitWords } from '../words/exit-words.js';
import { closedWords, openedWords } from '../words/terminal-words.js';
import { contentOf } from './item-text.js';

const Place = z.object({ seq: z.int().positive(), timestamp: z.iso.datetime() });
type Place = z.infer<typeof Place>;
type Level = Extract<ThreadItem, { type: 'notice' }>['level'];
type Reading = (event: unknown) => ThreadItem | null;

/** How an event of each type becomes an item; what is not listed is none. */
const readings: Partial<Record<EventType | ThreadEventType, Reading>> = {
  user_message: read(threadEventDefinitions.user_message, (event) => ({
    type: 'user_text',
    ...placeOf(event),
    content: contentOf(event.text),
    actor: event.actor,
    ...given({ dispatchId: event.dispatchId }),
    ...(event.attachments ? { attachments: event.attachments.map(attachmentName) } : {}),
  })),
  assistant_text: read(eventDefinitions.assistant_text.shape, (event) => ({
    type: 'assistant_text',
    ...placeOf(event),
    content: contentOf(event.content),
  })),
  thinking: read(eventDefinitions.thinking.shape, (event) => ({
    type: 'thinking',
    ...placeOf(event),
    content: contentOf(event.content),
  })),
  tool_start: read(
    eventDefinitions.tool_start.shape,
    ({ id, tool, params, parentToolUseId, agentId, ...event }) => ({
      type: 'tool_call',
      ...placeOf(event),
      toolUseId: id,
      tool,
      params,
      ...given({ parentToolUseId, agentId }),
    }),
  ),
  tool_end: read(eventDefinitions.tool_end.shape, ({ id, tool, agentId, ranWith, ...event }) => ({
    type: 'tool_call',
    ...placeOf(event),
    toolUseId: id,
    tool,
    ...given({ agentId, ranWith }),
    result: {
      success: event.success,
      summary: event.summary,
      durationMs: event.duration,
      ...given({ outputLength: event.outputLength, outputKept: event.outputKept }),
    },
  })),
  prompt_asked: read(threadEventDefinitions.prompt_asked, (event) => ({
    type: 'prompt',
    ...placeOf(event),
    ...event.item,
  })),
  prompt_settled: read(threadEventDefinitions.prompt_settled, (event) => ({
    type: 'prompt_audit',
    ...placeOf(event),
    ...event.item,
  })),
  attempt_ended: read(threadEventDefinitions.attempt_ended, ({ dispatchId, outcome, retryAt, ...event }) => ({
    type: 'outcome',
    ...placeOf(event),
    dispatchId,
    outcome,
    ...given({ retryAt }),
    isLast: false,
  })),
  dispatch_ended: read(threadEventDefinitions.dispatch_ended, ({ dispatchId, outcome, ...event }) => ({
    type: 'outcome',
    ...placeOf(event),
    dispatchId,
    outcome,
    isLast: true,
  })),
  run_started: read(threadEventDefinitions.run_started, ({ run, resumes, ...event }) => ({
    type: 'run',
    ...placeOf(event),
    runId: run,
    what: 'started',
    content: contentOf(
      resumes ? 'The agent was started again and goes on with its session.' : 'The agent was started.',
    ),
  })),
  run_ended: read(threadEventDefinitions.run_ended, ({ run, exit, reason, ...event }) => ({
    type: 'run',
    ...placeOf(event),
    runId: run,
    what: 'ended',
    content: contentOf(
      reason === undefined
        ? `The agent's process ended ${exitWords(exit)}.`
        : `The agent was stopped: ${reason}.`,
    ),
  })),
  terminal_opened: read(threadEventDefinitions.terminal_opened, (event) =>
    notice(event, 'info', openedWords(event)),
  ),
  terminal_message: read(threadEventDefinitions.terminal_message, (event) => ({
    type: 'user_text',
    ...placeOf(event),
    content: contentOf(event.text),
    actor: event.actor,
  })),
  terminal_text: read(threadEventDefinitions.terminal_text, (event) => ({
    type: 'assistant_text',
    ...placeOf(event),
    content: contentOf(event.content),
  })),
  terminal_tool: read(threadEventDefinitions.terminal_tool, ({ id, tool, params, ...event }) => ({
    type: 'tool_call',
    ...placeOf(event),
    toolUseId: id,
    tool,
    params,
    result: { success: event.success ?? false, summary: event.summary, durationMs: 0 },
  })),
  terminal_closed: read(threadEventDefinitions.terminal_closed, (event) =>
    notice(event, 'info', closedWords(event)),
  ),
  notice: read(threadEventDefinitions.notice, (event) => notice(event, 'info', event.message)),
  warning: read(eventDefinitions.warning.shape, (event) => notice(event, 'warning', event.message)),
  error: read(eventDefinitions.error.shape, (event) => notice(event, 'error', event.message)),
  auth_error: read(eventDefinitions.auth_error.shape, (event) => notice(event, 'error', event.message)),
  interrupted: read({}, (event) => notice(event, 'info', 'The turn was interrupted.')),
  agent_notification: read(eventDefinitions.agent_notification.shape, (event) =>
    notice(event, 'info', [event.title, event.message].filter((part) => part !== '').join(': ')),
  ),
};

const readingOf = new Map<string, Reading>(Object.entries(readings));

/** The item that an event would be on its own, or null; malformed events are none. */
export function itemOfEvent(event: Record<string, unknown>): ThreadItem | null {
  const type = event['type'];
  return (typeof type === 'string' && readingOf.get(type)?.(event)) || null;
}

function read<Shape extends z.ZodRawShape>(
  shape: Shape,
  make: (event: z.infer<z.ZodObject<Shape>> & Place) => ThreadItem,
): Reading {
  const fields = z.object(shape);
  return (event) => {
    const place = Place.safeParse(event);
    const parsed = fields.safeParse(event);
    return place.success && parsed.success ? make({ ...parsed.data, ...place.data }) : null;
  };
}

function placeOf({ seq, timestamp }: Place): Place & { readonly id: `itm_${number}` } {
  return { id: `itm_${seq}`, seq, timestamp };
}

function notice(place: Place, level: Level, text: string): ThreadItem {
  return { type: 'notice', ...placeOf(place), level, content: contentOf(text) };
}

function attachmentName(attachment: Attachment): string {
  return attachment.name ?? (attachment.type === 'file' ? attachment.path : attachment.mediaType);
}
