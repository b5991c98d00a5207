import { type ModelConversation, toolRounds } from './conversation.js';
import { DirectiveError, repliesIn } from './directives.js';
import type { Reply } from './reply.js';

/** What the model is working on: the user message that counts, and how far its tool loop has come. */
export interface CurrentPrompt {
  text: string;
  /** Rounds of tool results since the prompt. */
  round: number;
  /** How many prompts came before it, which tells two equal prompts of one conversation apart. */
  place: number;
  /** What the prompt scripts for itself. */
  replies: Reply[] | undefined;
}

// Agents put their own texts between the user's: reminders and contexts in tags, and notes on interruptions.
const injected = /^\s*</;
const interruption = /^\s*(?:\[Request interrupted by user|<turn_aborted>)/;

/** Finds the prompt that a request is about. */
export function currentPrompt(conversation: ModelConversation): CurrentPrompt {
  let prompt: CurrentPrompt = { text: '', round: 0, place: 0, replies: undefined };
  let start = 0;
  let open = false;
  for (const [index, entry] of conversation.entries.entries()) {
    if (entry.kind === 'assistant') open = false;
    if (entry.kind === 'toolCall') open = true;
    if (entry.kind !== 'user') continue;
    const { text } = entry;
    if (interruption.test(text)) {
      open = false;
      continue;
    }
    const replies = scripted(text);
    // A plain text in the middle of a scripted loop steers an agent; it does not end the script.
    const counts = replies !== undefined || (!injected.test(text) && !(open && prompt.replies));
    if (!counts) continue;
    prompt = { text, round: 0, place: prompt.place + 1, replies };
    start = index;
    open = true;
  }
  return { ...prompt, round: toolRounds(conversation.entries.slice(start + 1)) };
}

function scripted(text: string): Reply[] | undefined {
  if (/^\s*<system-reminder>/.test(text)) return undefined;
  try {
    return repliesIn(text);
  } catch (error) {
    if (!(error instanceof DirectiveError)) throw error;
    const message = `The simulator cannot carry out a directive of this prompt: ${error.message}`;
    return [{ blocks: [], fault: { kind: 'error', status: 400, type: 'invalid_request_error', message } }];
  }
}
