import * as z from 'zod';
import { type FollowedEvent, factOf } from '../client/thread-event.js';
import { modeWords } from '../domain/words/mode-words.js';
import { plainLine } from '../domain/words/plain-text.js';

/** What a timeline shows beside the items of a thread: points to go back to, and changes of how the agent works. */
export type SideEntry =
  | { readonly type: 'checkpoint'; readonly seq: number; readonly timestamp: string; readonly uuid: string }
  | {
      readonly type: 'remark';
      readonly seq: number;
      readonly timestamp: string;
      readonly text: string;
      readonly output?: string;
    };

// Looked at first, because most events are none of these and reading one costs.
const telling = new Set([
  'checkpoint_created',
  'files_rewound',
  'model_changed',
  'permission_mode_changed',
  'verified',
  'setup_ran',
  'compact_boundary',
  'dispatch_started',
]);

const Placed = z.object({ seq: z.int().positive() });

/** The entry that an event makes, or null. */
export function sideEntryOf(event: FollowedEvent): SideEntry | null {
  if (!telling.has(event.type)) return null;
  const fact = factOf(event);
  const place = Placed.safeParse(event).data;
  if (!fact || !place) return null;
  const at = { ...place, timestamp: event.timestamp };
  switch (fact.type) {
    case 'checkpoint_created':
      return { type: 'checkpoint', ...at, uuid: fact.checkpointUuid };
    case 'files_rewound':
      return {
        type: 'remark',
        ...at,
        text: fact.success
          ? 'The files were restored to a checkpoint.'
          : `The files could not be restored: ${plainLine(fact.error ?? 'no reason given')}`,
      };
    case 'model_changed':
      return { type: 'remark', ...at, text: `The model is now ${plainLine(fact.model)}.` };
    case 'permission_mode_changed':
      return { type: 'remark', ...at, text: `The agent now ${modeWords[fact.mode]} (${fact.mode}).` };
    case 'verified':
      return {
        type: 'remark',
        ...at,
        text: `${fact.passed ? '✓ Verified' : '✗ Verification failed'}: ${plainLine(fact.command)}`,
        output: fact.output,
      };
    case 'setup_ran':
      return {
        type: 'remark',
        ...at,
        text: `${fact.passed ? '✓ Set up' : '✗ Set-up failed'}: ${plainLine(fact.name)}`,
        output: fact.output,
      };
    case 'compact_boundary':
      return {
        type: 'remark',
        ...at,
        text: `The agent compacted its context (${fact.preTokens.toLocaleString('en')} tokens before).`,
      };
    case 'dispatch_started':
      return fact.attempt > 1 ? { type: 'remark', ...at, text: `Attempt ${fact.attempt}.` } : null;
    default:
      return null;
  }
}
