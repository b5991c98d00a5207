import * as z from 'zod';
import { eventDefinitions } from '../../protocol/event.js';
import { modelRetryWords } from '../words/model-retry-words.js';
import { isPromptTool } from '../words/prompt-tool.js';
import { toolWords } from '../words/tool-words.js';

const ToolStart = z.object(eventDefinitions.tool_start.shape);
const AttemptEnded = z.object({ outcome: z.object({ reason: z.literal('rate_limit') }) });
const Evidence = z.object(eventDefinitions.status_evidence.shape);

/** What an agent is doing, as its newest event says; undefined leaves it at what it was. */
export function activityOf(event: { readonly type: string }): string | undefined {
  switch (event.type) {
    case 'run_started':
      return 'starting the agent';
    case 'dispatch_started':
    case 'tool_end':
    case 'prompt_settled':
    case 'thinking':
    case 'thinking_start':
      return 'thinking';
    case 'assistant_text':
    case 'text_delta':
      return 'writing';
    case 'tool_start': {
      const call = ToolStart.safeParse(event).data;
      if (call && isPromptTool(call.tool)) return 'waiting for an answer';
      return call && toolWords(call.tool, call.params);
    }
    case 'status_evidence': {
      const evidence = Evidence.safeParse(event).data;
      if (evidence?.fact === 'model_retried' && evidence.retry) return modelRetryWords(evidence.retry);
      return evidence?.fact === 'model_answered' ? 'thinking' : undefined;
    }
    case 'prompt_asked':
      return 'waiting for an answer';
    case 'attempt_ended':
      return AttemptEnded.safeParse(event).success ? 'waiting for quota' : 'waiting for the next attempt';
    case 'turn_complete':
      return 'finishing';
    default:
      return undefined;
  }
}
