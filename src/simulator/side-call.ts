import { type ModelConversation, newUserTexts } from './conversation.js';
import type { Reply } from './reply.js';
import { schemaInstance } from './schema-instance.js';

/** A request that an agent makes for its own housekeeping; it must not use up a step of the script. */
export interface SideCall {
  name: 'compaction' | 'judgement' | 'title';
  reply: Reply;
}

// Each wording stands in one of the pinned versions; a new version may need a new one.
const compaction = new RegExp(
  [
    'CRITICAL: Respond with TEXT ONLY',
    'detailed summary of the conversation',
    'tasked with summarizing conversations',
    'CONTEXT CHECKPOINT COMPACTION',
    'context summarization agent',
    'anchored summary',
    '<state_snapshot>',
  ].join('|'),
  'i',
);
const judgement =
  /specialized Task Routing AI|immediately preceding response|code-editing assistant|stuck in an unproductive loop/;
const title = /title generator|\b(?:concise|short|brief)\b[^.]{0,40}\btitle\b/i;

/** Recognises a side call by its words, because nothing else in a request tells it from the user's own. */
export function sideCall(conversation: ModelConversation): SideCall | undefined {
  const { system, schema, tools } = conversation;
  const asked = newUserTexts(conversation).slice(-2).join('\n');
  if (compaction.test(asked)) return summary;
  if (tools.length > 0) return undefined;
  if (compaction.test(system)) return summary;
  if (schema !== undefined && judgement.test(system + asked)) {
    return { name: 'judgement', reply: textReply(JSON.stringify(schemaInstance(schema))) };
  }
  return title.test(system) ? { name: 'title', reply: textReply('Simulated title') } : undefined;
}

const summary: SideCall = {
  name: 'compaction',
  reply: textReply('<summary>Simulated summary of the conversation.</summary>'),
};

function textReply(text: string): Reply {
  return { blocks: [{ text }] };
}
