import { plainText } from '../../domain/words/plain-text.js';

/** An agent's words as they leave the machine: plain, short, and without the space around them. */
export function noticeText(text: string, maxLength: number): string {
  return plainText(text, { maxLength }).replaceAll('\t', ' ').trim();
}
