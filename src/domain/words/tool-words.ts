import { cutText } from '../../protocol/cut-text.js';
import { plainLine } from './plain-text.js';

// What says most about a call, in this order.
const tellingFields = ['command', 'file_path', 'path', 'pattern', 'url', 'query', 'description', 'prompt'];
const longest = 500;

/** A tool call in a few words: the tool and what it works on. */
export function toolWords(tool: string, params: Readonly<Record<string, unknown>>): string {
  const field = tellingField(params);
  const subject = field === undefined ? undefined : params[field];
  const words = typeof subject === 'string' ? `${tool} ${cutText(subject, longest)}` : tool;
  return plainLine(words);
}

/** The field of an input that says most about the call. */
export function tellingField(params: Readonly<Record<string, unknown>>): string | undefined {
  const isText = (field: string) => typeof params[field] === 'string';
  return tellingFields.find(isText) ?? Object.keys(params).find(isText);
}
