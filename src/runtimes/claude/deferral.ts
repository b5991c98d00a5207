import { cutText } from '../../protocol/cut-text.js';
import type { WireResult } from './wire.js';

/** A call that its turn let go of. */
interface Deferral {
  /** We let it go, so that its process could end; otherwise a hook of somebody else has done so. */
  readonly isOurs: boolean;
  readonly sentence: string;
}

/**
 * The call that a turn let go of, or null. Anybody's hook can defer a call, and then nobody was asked and ours did not
 * count (measured); a session that defers again says so only in its stop reason (measured).
 */
export function deferralIn(
  result: WireResult,
  isOurs: (toolUseId: string) => boolean = () => true,
): Deferral | null {
  const { terminal_reason, stop_reason, deferred_tool_use: call } = result;
  if (terminal_reason !== 'tool_deferred' && stop_reason !== 'tool_deferred') return null;
  if (call?.id === undefined || isOurs(call.id))
    return { isOurs: true, sentence: 'The turn waits for an answer; its process was let go.' };
  const tool = cutText(call.name ?? 'a tool', 200);
  return {
    isOurs: false,
    sentence:
      `A hook of the project's or the user's own settings deferred the call of ${tool} (${cutText(call.id, 200)}). ` +
      'The call did not run, nobody was asked, and nothing takes it up again. Have that PreToolUse hook answer "ask" ' +
      'instead of "defer", or leave its settings out with --setting-sources.',
  };
}
