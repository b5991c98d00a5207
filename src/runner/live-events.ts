import type { EventType } from '../protocol/event.js';

/**
 * The events that are told and forgotten. Named here once more and not read from the definitions, because loading
 * those costs every runner memory; a test holds both together.
 */
export const liveEvents: ReadonlySet<EventType> = new Set(['text_delta', 'thinking_delta', 'tool_progress']);
