import { type FollowedEvent, factOf } from '../client/thread-event.js';

/** What the agent is writing or thinking, before it is committed. */
export interface LiveThreadText {
  readonly text: string;
  readonly thinking: string;
}

export const noLiveText: LiveThreadText = { text: '', thinking: '' };

// A person sees the end of what is being written.
const kept = 20_000;

/** The live text after one more event: pieces add up, and what is committed is taken away. */
export function afterEvent(live: LiveThreadText, event: FollowedEvent): LiveThreadText {
  switch (event.type) {
    case 'text_delta':
    case 'thinking_delta': {
      const fact = factOf(event);
      if (fact?.type === 'text_delta') return { ...live, text: (live.text + fact.content).slice(-kept) };
      if (fact?.type === 'thinking_delta')
        return { ...live, thinking: (live.thinking + fact.content).slice(-kept) };
      return live;
    }
    case 'assistant_text': {
      const fact = factOf(event);
      if (fact?.type !== 'assistant_text') return live;
      return {
        ...live,
        text: live.text.startsWith(fact.content) ? live.text.slice(fact.content.length) : '',
      };
    }
    case 'thinking':
      return { ...live, thinking: '' };
    case 'tool_start':
    case 'turn_complete':
    case 'run_ended':
      return noLiveText;
    default:
      return live;
  }
}
