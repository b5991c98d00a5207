import * as z from 'zod';
import { RunFacts } from '../domain/run/run-facts.js';
import { Posture } from '../protocol/posture.js';
import { Run } from '../protocol/run.js';

const instant = z.iso.datetime();

/** That we are about to end a run; committed before the signal, so that our own kill is never taken for a crash. */
export const KillIntent = z.object({ reason: z.string(), at: instant });
export type KillIntent = z.infer<typeof KillIntent>;

/** A recorded change of a sealed posture, and who made it. */
export const Amendment = z.object({ posture: Posture, actor: z.string(), at: instant });
export type Amendment = z.infer<typeof Amendment>;

/** A run with what only the host needs to know about it. */
export const StoredRun = Run.extend({
  killIntent: KillIntent.optional(),
  /** What its events say, folded as far as they were ingested. */
  facts: RunFacts.optional(),
  amendments: z.array(Amendment),
});
export type StoredRun = z.infer<typeof StoredRun>;

/** A run as it begins; nothing has been ingested from it yet. */
export type NewRun = Omit<StoredRun, 'lastRunSeq' | 'amendments'>;
