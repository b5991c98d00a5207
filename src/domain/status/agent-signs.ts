import * as z from 'zod';
import { keysOf } from '../../protocol/keys.js';
import { StatusEvidence, type StatusFact } from '../../protocol/status.js';

const sign = {
  isAlive: z.boolean(),
  turnOpen: z.boolean(),
  toolsOpen: z.boolean(),
  backgroundOpen: z.boolean(),
  ownReport: z.enum(['busy', 'idle', 'asking']).nullable(),
  /** The model does not answer, and the runtime asks it again; nobody waits for it once the turn is over. */
  modelSilent: z.boolean().default(false),
};
const evidence = StatusEvidence.nullable();

/** What the evidence of one run says, folded; `by` is the evidence that decided each sign. */
export const AgentSigns = z.object({
  ...sign,
  last: evidence,
  busySince: z.iso.datetime().nullable(),
  by: z.object({
    isAlive: evidence,
    turnOpen: evidence,
    toolsOpen: evidence,
    backgroundOpen: evidence,
    ownReport: evidence,
    modelSilent: evidence.default(null),
  }),
});
export type AgentSigns = z.infer<typeof AgentSigns>;

type Signs = z.infer<z.ZodObject<typeof sign>>;

export const noSigns: AgentSigns = {
  isAlive: false,
  turnOpen: false,
  toolsOpen: false,
  backgroundOpen: false,
  ownReport: null,
  modelSilent: false,
  last: null,
  busySince: null,
  by: {
    isAlive: null,
    turnOpen: null,
    toolsOpen: null,
    backgroundOpen: null,
    ownReport: null,
    modelSilent: null,
  },
};

const nothing: Signs = {
  isAlive: false,
  turnOpen: false,
  toolsOpen: false,
  backgroundOpen: false,
  ownReport: null,
  modelSilent: false,
};

/**
 * What each fact says. Adapters count: a tool or a background task is reported as the first begins and the last ends.
 * An accepted message opens its turn, but is no sign of life, because it is ours.
 */
const meaning: Record<StatusFact, Partial<Signs>> = {
  launched: nothing,
  sign_of_life: { isAlive: true },
  message_accepted: { turnOpen: true },
  turn_started: { isAlive: true, turnOpen: true, modelSilent: false },
  turn_ended: { isAlive: true, turnOpen: false, modelSilent: false },
  tool_started: { isAlive: true, toolsOpen: true, modelSilent: false },
  tool_ended: { isAlive: true, toolsOpen: false },
  background_opened: { isAlive: true, backgroundOpen: true },
  background_closed: { isAlive: true, backgroundOpen: false },
  said_busy: { isAlive: true, ownReport: 'busy' },
  said_idle: { isAlive: true, ownReport: 'idle' },
  said_asking: { isAlive: true, ownReport: 'asking' },
  model_retried: { isAlive: true, modelSilent: true },
  model_answered: { isAlive: true, modelSilent: false },
  exited: nothing,
};

/** The signs after one more piece of evidence; evidence that is older than what decided a sign does not change it. */
export function applyEvidence(signs: AgentSigns, given: StatusEvidence): AgentSigns {
  const { fact, source, confidence, at, retry } = given;
  const evidence = { fact, source, confidence, at, ...(retry && { retry }) };
  const says = { ...meaning[evidence.fact], ...endedQuestion(signs, evidence) };
  const decided = keysOf(says).filter((name) => outweighs(evidence, signs.by[name]));
  const next: AgentSigns = {
    ...signs,
    ...Object.fromEntries(decided.map((name) => [name, says[name]])),
    by: { ...signs.by, ...Object.fromEntries(decided.map((name) => [name, evidence])) },
    last: isOlder(evidence, signs.last) ? signs.last : evidence,
  };
  return { ...next, busySince: isBusy(next) ? (signs.busySince ?? evidence.at) : null };
}

/** The evidence that the agent works, the most telling first, or null; a guess counts only where nothing better is known. */
export function workOf(signs: AgentSigns): StatusEvidence | null {
  if (signs.toolsOpen) return signs.by.toolsOpen;
  if (signs.turnOpen) return signs.by.turnOpen;
  if (signs.backgroundOpen) return signs.by.backgroundOpen;
  if (signs.ownReport !== 'busy') return null;
  return signs.by.ownReport?.confidence === 'weak' && endedTurn(signs) !== null ? null : signs.by.ownReport;
}

/** The evidence that the agent rests, or null: its own word first, then the end of its turn. */
export function restOf(signs: AgentSigns): StatusEvidence | null {
  const report = signs.ownReport === 'idle' ? signs.by.ownReport : null;
  return report?.confidence === 'weak' ? (endedTurn(signs) ?? report) : (report ?? endedTurn(signs));
}

function isBusy(signs: AgentSigns): boolean {
  return workOf(signs) !== null;
}

function endedTurn(signs: AgentSigns): StatusEvidence | null {
  return signs.by.turnOpen?.fact === 'turn_ended' ? signs.by.turnOpen : null;
}

/** A question of a turn does not outlive the turn. */
function endedQuestion(signs: AgentSigns, evidence: StatusEvidence): Partial<Signs> {
  const isTurn = evidence.fact === 'turn_started' || evidence.fact === 'turn_ended';
  return isTurn && signs.ownReport === 'asking' ? { ownReport: null } : {};
}

function outweighs(evidence: StatusEvidence, before: StatusEvidence | null): boolean {
  if (before === null) return true;
  // What was known of a process that has ended does not count against a guess about the next one.
  const isOutranked =
    evidence.confidence === 'weak' && before.confidence !== 'weak' && before.fact !== 'exited';
  return !isOutranked && !isOlder(evidence, before);
}

// Instants are compared as times, because as text "…:05.5Z" sorts before "…:05Z".
function isOlder(evidence: StatusEvidence, before: StatusEvidence | null): boolean {
  return before !== null && Date.parse(evidence.at) < Date.parse(before.at);
}
