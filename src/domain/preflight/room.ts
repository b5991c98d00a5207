import type { Finding } from './finding.js';

// The store, the spool of a run and a small change of files need about this; with less even the refusal is hard to keep.
const leastBytes = 4 * 2 ** 20;

/** What is wrong with the room on the disk of a folder; `what` names the folder in words. */
export function roomFindings(
  { what, path }: { readonly what: string; readonly path: string },
  free: { readonly bytes: number; readonly inodes: number | null },
): readonly Finding[] {
  const isFull = free.bytes < leastBytes || free.inodes === 0;
  if (!isFull) return [];
  const left = free.inodes === 0 ? 'no more files can be made there' : `${megabytes(free.bytes)} MB are free`;
  return [
    {
      subject: 'disk',
      stops: 'not_ready',
      problem: `The disk of ${what} (${path}) is full: ${left}.`,
      fix: 'Make room, for example with "handraise prune --older-than 30d", and give the work again.',
    },
  ];
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
