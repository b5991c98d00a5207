import type { Posture } from '../../protocol/posture.js';

/** A run's posture with its recorded changes; what a resume has to reproduce, and nothing wider. */
export function sealedPosture(run: {
  readonly posture: Posture;
  readonly amendments: readonly { readonly posture: Posture }[];
}): Posture {
  return run.amendments.reduce((posture, amendment) => ({ ...posture, ...amendment.posture }), run.posture);
}
