import type { StatusEvidence, StatusReport } from '../../protocol/status.js';
import { plainLine } from '../words/plain-text.js';
import { type AgentSigns, applyEvidence, noSigns } from './agent-signs.js';
import { arbitrate } from './status-arbiter.js';

const longestPrompt = 500;

/** The signs after one more piece of evidence; what is heard later counts as later, however the clock was set meanwhile. */
export function observe(signs: AgentSigns, evidence: StatusEvidence): AgentSigns {
  const last = signs.last?.at;
  const isBack = last !== undefined && Date.parse(evidence.at) < Date.parse(last);
  return applyEvidence(signs, isBack ? { ...evidence, at: last } : evidence);
}

/** The signs of an agent of which all evidence is there at once, in the order in which it was said. */
export function signsOf(evidence: readonly StatusEvidence[]): AgentSigns {
  return evidence.reduce(observe, noSigns);
}

/** What an agent does that we have not started, and what it asks, where that is known. */
export function observedStatus(signs: AgentSigns, asked?: string): StatusReport {
  const startedAt = signs.last?.at ?? new Date(0).toISOString();
  const status = arbitrate({
    run: { signs, messagesPending: false, startedAt },
    end: null,
    prompt: null,
  });
  if (status.state !== 'question' || asked === undefined) return status;
  return { ...status, prompt: plainLine(asked, { maxLength: longestPrompt }) };
}

/** An agent that was seen alive, and whose process is gone without a word; nobody saw how it ended. */
export const killedStatus: StatusReport = {
  state: 'crashed',
  exitCode: null,
  why: 'its process is gone, and it has not said goodbye',
  source: 'process',
  confidence: 'strong',
};

/** An observed agent whose process has ended, nobody saw how: in the middle of its work it was not by itself. */
export function endedStatus(signs: AgentSigns): StatusReport {
  if (signs.turnOpen || signs.ownReport === 'busy' || signs.ownReport === 'asking') return killedStatus;
  return { state: 'stopped', why: 'its process has ended', source: 'process', confidence: 'strong' };
}
