import { type ModelConversation, newToolResults } from './conversation.js';
import { type CurrentPrompt, currentPrompt } from './prompt.js';
import type { Reply } from './reply.js';
import { schemaInstance } from './schema-instance.js';
import type { Condition, Script, ScriptedReply } from './script.js';
import { type SideCall, sideCall } from './side-call.js';

/** What is to be answered, and why. */
export interface DirectorDecision {
  reply: Reply;
  from: 'script' | 'prompt' | 'default' | 'side_call';
  sideCall?: SideCall['name'];
}

/** Decides the reply to each request: side call, conditional reply, next reply in order, prompt, default. */
export class Director {
  #script: Script = { replies: [] };
  #cursor = 0;
  readonly #matches = new Map<ScriptedReply, number>();
  readonly #faults = new Map<unknown, number>();

  get script(): Script {
    return this.#script;
  }

  setScript(script: Script): void {
    this.#script = script;
    this.#cursor = 0;
    this.#matches.clear();
    this.#faults.clear();
  }

  decide(conversation: ModelConversation): DirectorDecision {
    const side = sideCall(conversation);
    if (side) return { reply: side.reply, from: 'side_call', sideCall: side.name };
    const prompt = currentPrompt(conversation);
    const scripted = this.#conditional(conversation, prompt) ?? this.#next();
    if (scripted) return { reply: scripted, from: 'script' };
    const reply = prompt.replies?.[prompt.round];
    if (reply) return { reply: this.#prompted(reply, conversation, prompt), from: 'prompt' };
    return { reply: plainReply(prompt, conversation), from: 'default' };
  }

  #conditional(conversation: ModelConversation, prompt: CurrentPrompt): Reply | undefined {
    for (const scripted of this.#script.replies) {
      if (!scripted.when || !holds(scripted.when, conversation, prompt)) continue;
      const nth = (this.#matches.get(scripted) ?? 0) + 1;
      this.#matches.set(scripted, nth);
      if (scripted.when.nth === undefined || scripted.when.nth === nth)
        return this.#afterFault(scripted, scripted);
    }
    return undefined;
  }

  #next(): Reply | undefined {
    const reply = this.#script.replies.filter(({ when }) => !when)[this.#cursor];
    if (!reply) return undefined;
    if (reply.fault && this.#meet(reply) <= (reply.fault.times ?? 1)) return reply;
    this.#cursor++;
    return reply.fault && reply.blocks.length === 0 ? this.#next() : withoutFault(reply);
  }

  /** A retry sends the same conversation again, or a little more of it (reminders before it, what was said after it), so its place among the prompts says which fault is being met. */
  #prompted(reply: Reply, { session }: ModelConversation, { text, round, place }: CurrentPrompt): Reply {
    return this.#afterFault(reply, JSON.stringify([session, place, round, text]));
  }

  #afterFault(reply: Reply, key: unknown): Reply {
    if (reply.fault?.times === undefined) return reply;
    return this.#meet(key) <= reply.fault.times ? reply : withoutFault(reply);
  }

  #meet(key: unknown): number {
    const met = (this.#faults.get(key) ?? 0) + 1;
    this.#faults.set(key, met);
    return met;
  }
}

function holds(condition: Condition, conversation: ModelConversation, prompt: CurrentPrompt): boolean {
  const { model, toolResult } = condition;
  const round =
    condition.round ?? (condition.prompt !== undefined && toolResult === undefined ? 0 : prompt.round);
  return (
    prompt.round === round &&
    prompt.text.includes(condition.prompt ?? '') &&
    (model === undefined || model === conversation.model) &&
    (toolResult === undefined || newToolResults(conversation).some(({ text }) => text.includes(toolResult)))
  );
}

function withoutFault(reply: Reply): Reply {
  const { fault, ...healthy } = reply;
  return fault ? healthy : reply;
}

function plainReply({ text, round }: CurrentPrompt, { schema }: ModelConversation): Reply {
  if (schema !== undefined) return { blocks: [{ text: JSON.stringify(schemaInstance(schema)) }] };
  return { blocks: [{ text: round > 0 ? 'Done.' : `Simulated reply to: ${text.trim().slice(0, 200)}` }] };
}
