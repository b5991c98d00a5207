import type { SessionPlace } from '../domain/run/terminal-session.js';
import type { LivingSession } from '../domain/status/living-session.js';

export interface SessionSight extends SessionPlace {
  readonly now: number;
}

/** Sees which sessions people have open in a runtime's own program. It looks often, so a look must cost little. */
export interface LivingSessions {
  look(sight: SessionSight): readonly LivingSession[];
}
