import * as z from 'zod';
import { cutText } from '../../protocol/cut-text.js';

// What is found again of one event; more of it would make the index larger than what it is about.
const longestText = 20_000;
// An event that is larger holds a file or an image more often than words.
const largestEvent = 1024 * 1024;

const text = z.string().catch('');
const UserMessage = z.looseObject({ text });
const AssistantText = z.looseObject({ content: text });
const ToolStart = z.looseObject({ tool: text, params: z.record(z.string(), z.unknown()).catch({}) });
const PromptEvent = z.looseObject({
  item: z.looseObject({ content: z.array(z.looseObject({ text })).catch([]) }),
});
const DispatchEnded = z.looseObject({ outcome: z.looseObject({ summary: text, reason: text }) });
const Notice = z.looseObject({ message: text });

/** The words of each type of event that people look for; an agent's thoughts and the output of tools are not. */
const readings = new Map<string, (event: unknown) => string>([
  ['user_message', (event) => UserMessage.parse(event).text],
  ['assistant_text', (event) => AssistantText.parse(event).content],
  ['tool_start', toolWords],
  ['terminal_message', (event) => UserMessage.parse(event).text],
  ['terminal_text', (event) => AssistantText.parse(event).content],
  ['terminal_tool', toolWords],
  ['prompt_asked', promptWords],
  ['prompt_settled', promptWords],
  [
    'dispatch_ended',
    (event) => {
      const { summary, reason } = DispatchEnded.parse(event).outcome;
      return [summary, reason].join('\n');
    },
  ],
  ['notice', (event) => Notice.parse(event).message],
]);

/** What of an event can be found by its words; nothing of most. */
export function searchTextOf(type: string, json: string): string {
  const reading = readings.get(type);
  if (!reading || json.length > largestEvent) return '';
  try {
    return cutText(reading(JSON.parse(json)).trim(), longestText);
  } catch {
    // Nobody checked what an agent's line holds before it was kept.
    return '';
  }
}

/** What a thread itself is found by. */
export function threadSearchText(thread: {
  readonly title: string;
  readonly name?: string | null | undefined;
}): string {
  return [thread.title, thread.name ?? ''].join('\n').trim();
}

function toolWords(event: unknown): string {
  const { tool, params } = ToolStart.parse(event);
  return [tool, ...Object.values(params).filter((value) => typeof value === 'string')].join('\n');
}

function promptWords(event: unknown): string {
  return PromptEvent.parse(event)
    .item.content.map((part) => part.text)
    .join('\n');
}
