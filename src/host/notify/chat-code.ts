import type { ChatChoice, ChatQuestion } from '../../domain/prompts/chat-question.js';
import { PromptId } from '../../protocol/id.js';

/** A question that is sent to a chat, and what it is known by when somebody answers there. */
export interface AskedInChat extends ChatQuestion {
  readonly promptId: PromptId;
  /** Of what exactly is asked, so that an old button never decides about something else. */
  readonly fingerprint: string;
}

/** What a button says when it is pressed; Telegram takes 64 bytes. */
export function chatCode({ promptId, fingerprint }: AskedInChat, choice: ChatChoice | 'text'): string {
  return `${choice}:${promptId}:${shortOf(fingerprint)}`;
}

/** What such a code says; null for anything else, because whoever presses may send what they like. */
export function readChatCode(
  code: string,
): { readonly choice: ChatChoice | 'text'; readonly promptId: PromptId; readonly mark: string } | null {
  const [, choice = '', id, mark = ''] =
    /^(approve|deny|text|option\d{1,2}):(\w{1,40}):([0-9a-f]{12})$/.exec(code) ?? [];
  const promptId = PromptId.safeParse(id).data;
  if (promptId === undefined) return null;
  if (choice === 'approve' || choice === 'deny' || choice === 'text') return { choice, promptId, mark };
  return { choice: `option${Number(choice.slice('option'.length))}`, promptId, mark };
}

/** Whether a code was made for what is asked now. */
export function isMarkOf(mark: string, fingerprint: string): boolean {
  return mark === shortOf(fingerprint);
}

function shortOf(fingerprint: string): string {
  return fingerprint.slice(0, 12);
}
