/** One thing said in a conversation, whoever's wire format it came in. */
export type ConversationEntry =
  | { kind: 'user'; text: string }
  | { kind: 'assistant'; text: string }
  | { kind: 'toolCall'; id: string; name: string; input: unknown }
  | ToolResult;

/** What a tool gave back to the model. */
export interface ToolResult {
  kind: 'toolResult';
  callId: string;
  text: string;
  isError: boolean;
}

/** A tool on offer; a freeform one takes plain text in place of JSON. */
export interface OfferedTool {
  name: string;
  freeform: boolean;
  /** The group that it is offered in; its name here begins with the group's. */
  namespace?: string;
}

/** A model request with the vendor taken out. */
export interface ModelConversation {
  model: string;
  system: string;
  entries: ConversationEntry[];
  tools: OfferedTool[];
  stream: boolean;
  /** The JSON Schema that the answer must meet, where one is given. */
  schema?: unknown;
  /** The agent's own name for the session, empty where it sends none. */
  session: string;
}

/** The tool results that came in since the model last spoke. */
export function newToolResults({ entries }: ModelConversation): ToolResult[] {
  return entries.slice(lastSpoken(entries) + 1).filter((entry) => entry.kind === 'toolResult');
}

/** The user texts that came in since the model last spoke. */
export function newUserTexts({ entries }: ModelConversation): string[] {
  return entries
    .slice(lastSpoken(entries) + 1)
    .flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));
}

/** How many times the model was given tool results among these entries; parallel results are one round. */
export function toolRounds(entries: ConversationEntry[]): number {
  let rounds = 0;
  let inRound = false;
  for (const { kind } of entries) {
    if (kind === 'toolResult' && !inRound) rounds++;
    if (kind !== 'user') inRound = kind === 'toolResult';
  }
  return rounds;
}

function lastSpoken(entries: ConversationEntry[]): number {
  return entries.findLastIndex((entry) => entry.kind === 'assistant' || entry.kind === 'toolCall');
}
