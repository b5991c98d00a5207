import type { RuntimeName } from '../../protocol/posture.js';

/** The image that `handraise container build` makes for a runtime. */
export function ownImage(runtime: RuntimeName): string {
  return `handraise-${runtime.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}
