import * as z from 'zod';
import type { StatusEvidence, StatusFact } from '../../protocol/status.js';

const text = z.string();
const Line = z.looseObject({
  timestamp: text,
  type: z.enum(['event_msg', 'response_item']),
  payload: z.looseObject({
    type: text,
    name: text.optional(),
    call_id: text.optional(),
    arguments: text.optional(),
  }),
});
const Questions = z.looseObject({ questions: z.array(z.looseObject({ question: text })).min(1) });

const turns: Readonly<Record<string, StatusFact>> = {
  task_started: 'turn_started',
  task_complete: 'turn_ended',
  turn_aborted: 'turn_ended',
};
const askingTool = 'request_user_input';

/**
 * What the end of a rollout says about the thread. Codex writes down when it asks a question, and not when it asks whether a
 * command may run: until the answer such a call looks like one that runs.
 */
export function rolloutStatus(
  lines: readonly string[],
  now: number,
): { readonly evidence: readonly StatusEvidence[]; readonly asked?: string } {
  const evidence: StatusEvidence[] = [];
  const calls = new Map<string, string | undefined>();
  const say = (fact: StatusFact, at: string) =>
    evidence.push({ fact, source: 'codex.rollout', confidence: 'strong', at: instantOf(at, now) });
  for (const text of lines) {
    const line = Line.safeParse(parsed(text)).data;
    if (!line) continue;
    const { type, name, call_id: id, arguments: given } = line.payload;
    const turn = line.type === 'event_msg' && Object.hasOwn(turns, type) ? turns[type] : undefined;
    if (turn) {
      calls.clear();
      say(turn, line.timestamp);
    } else if (line.type === 'response_item' && id !== undefined) {
      // The end of a long turn has no beginning.
      if (evidence.length === 0) say('turn_started', line.timestamp);
      if (type.endsWith('_call')) calls.set(id, name === askingTool ? questionIn(given) : undefined);
      else calls.delete(id);
      if (type.endsWith('_call') && name === askingTool) say('said_asking', line.timestamp);
      else if (evidence.at(-1)?.fact === 'said_asking' && !isAsking(calls))
        say('turn_started', line.timestamp);
    }
  }
  const asked = [...calls.values()].findLast((words) => words !== undefined);
  // A thread that has not begun a turn waits for its first message.
  if (evidence.length === 0) say('said_idle', new Date(now).toISOString());
  return { evidence, ...(asked !== undefined && { asked }) };
}

function isAsking(calls: ReadonlyMap<string, string | undefined>): boolean {
  return [...calls.values()].some((words) => words !== undefined);
}

function questionIn(given: string | undefined): string {
  const asked = Questions.safeParse(parsed(given ?? ''));
  return asked.success ? asked.data.questions.map(({ question }) => question).join(' ') : 'a question';
}

function instantOf(timestamp: string, now: number): string {
  const time = Date.parse(timestamp);
  return new Date(Number.isFinite(time) && time < now ? time : now).toISOString();
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
