import { cutText } from '../protocol/cut-text.js';
import { plainLine } from './plain-text.js';

// What says most about a call, in this order.
const tellingFields = ['command', 'file_path', 'path', 'pattern', 'url', 'query', 'description', 'prompt'];
const longest = 500;

/** A tool call in a few words: the tool and what it works on. */
export function toolWords(tool: string, params: Readonly<Record<string, unknown>>): string {
  const telling = tellingFields.map((field) => params[field]).find((value) => typeof value === 'string');
  const other = Object.values(params).find((value) => typeof value === 'string');
  const subject = telling ?? other;
  const words = typeof subject === 'string' ? `${tool} ${cutText(subject, longest)}` : tool;
  return plainLine(words);
}
