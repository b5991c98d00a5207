import type { ThreadItem } from '../../protocol/thread-item.js';
import { actorWords } from '../words/actor-words.js';
import { outcomeSentence } from '../words/outcome-words.js';
import { plainLine, plainText } from '../words/plain-text.js';
import { itemText } from './item-text.js';

/** A thread as a person reads it, without anything around it: one paragraph per item. */
export function plainTranscript(items: Iterable<ThreadItem>): string {
  return [...items].map((item) => `${paragraph(item)}\n`).join('\n');
}

function paragraph(item: ThreadItem): string {
  switch (item.type) {
    case 'user_text':
      return `${actorWords(item.actor)}: ${plainText(itemText(item))}`;
    case 'assistant_text':
      return `agent: ${plainText(itemText(item))}`;
    case 'thinking':
      return `agent thinks: ${plainText(itemText(item))}`;
    case 'tool_call':
      return `tool ${plainLine(item.tool)}: ${plainText(JSON.stringify(item.ranWith ?? item.params ?? {}))}${item.result ? `\n→ ${plainText(item.result.summary)}` : ''}`;
    case 'outcome':
      return `outcome: ${item.outcome.result} ${plainLine(outcomeSentence(item.outcome))}`.trimEnd();
    case 'prompt':
    case 'prompt_audit':
    case 'run':
    case 'notice':
      return `${item.type.replaceAll('_', ' ')}: ${plainText(itemText(item))}`;
    default:
      return item satisfies never;
  }
}
