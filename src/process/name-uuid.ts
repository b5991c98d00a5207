import { createHash } from 'node:crypto';

/**
 * A uuid that is the same for the same words. Version 8 is the one for uuids of one's own making; who takes only
 * random ones is given version 4.
 */
export function nameUuid(words: string, version: 4 | 8): string {
  const hex = createHash('sha256').update(words).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `${version}${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
