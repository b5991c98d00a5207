import type { SavedSession } from '../../domain/run/saved-session.js';
import { messageUuid } from '../message-uuid.js';
import type { SavedSessionPlace } from '../runtime.js';
import { sessionLines } from '../session-lines.js';
import { Rollout } from './rollout.js';
import { rolloutFile } from './rollout-file.js';

const mostChildren = 1000;

/**
 * What Codex has written of a thread, which is all that its next life knows. A call that was open when it was killed has
 * no result, and the model is told that it was aborted (measured). Null when nothing was written; undefined where a
 * version of Codex does not say what started a turn.
 */
export async function readCodexSession(place: SavedSessionPlace): Promise<SavedSession | null | undefined> {
  const own = await readRollout(place.env, place.sessionId);
  if (!own?.hasMessages) return null;
  if (!own.saysTriggers) return undefined;
  const results = new Set(own.results);
  const said = new Set(own.said);
  // What a sub-agent was told is lost with it, unless it has reported back.
  for (const child of [...own.reported].slice(0, mostChildren)) {
    const theirs = await readRollout(place.env, child);
    for (const id of theirs?.results ?? []) results.add(id);
    for (const id of theirs?.said ?? []) said.add(id);
  }
  return {
    hasResult: (toolUseId) => results.has(toolUseId),
    hasWords: (toolUseId) => said.has(messageUuid(place.run, toolUseId)),
    hasMessage: (uuid) => own.triggers.has(messageUuid(place.run, uuid)),
  };
}

/** The calls of a thread that have a result, whoever began its turns; null when nothing was written. */
export async function readCodexResults(
  place: Pick<SavedSessionPlace, 'env' | 'sessionId'>,
): Promise<Pick<SavedSession, 'hasResult'> | null> {
  const rollout = await readRollout(place.env, place.sessionId);
  return rollout && { hasResult: (toolUseId) => rollout.results.has(toolUseId) };
}

async function readRollout(env: SavedSessionPlace['env'], threadId: string): Promise<Rollout | null> {
  const file = rolloutFile(env, threadId);
  if (file === null) return null;
  const rollout = new Rollout();
  for await (const line of sessionLines(file)) rollout.take(line);
  return rollout;
}
