import { type Event, type EventType, eventDefinitions } from '../../src/protocol/event.js';

export { first, only, textOf } from '../../src/testing/event-list.js';

/** Said whenever it happens to be ready, so that its place among the other events is chance. */
const anywhere: readonly EventType[] = ['status_evidence', 'context_usage', 'init', 'background_tasks'];

const idKinds: Readonly<Record<string, string>> = {
  sessionId: 'session',
  requestId: 'request',
  id: 'tool',
  toolUseId: 'tool',
  parentToolUseId: 'tool',
  agentId: 'agent',
  messageUuid: 'message',
  checkpointUuid: 'checkpoint',
};

const measured = new Set([
  'cost',
  'duration',
  'durationMs',
  'totalToolDurationMs',
  'inputTokens',
  'outputTokens',
]);

/** The durable events with what differs from run to run taken out: times, amounts, and ids by first appearance. */
export function stable(events: readonly Event[], home: string): unknown[] {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (kind: string, id: string) => {
    const known = names.get(id);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const name = `${kind} ${count}`;
    names.set(id, name);
    return name;
  };
  const clean = (key: string, value: unknown): unknown => {
    if (typeof value === 'number') return measured.has(key) ? 0 : value;
    if (typeof value === 'string') {
      const kind = idKinds[key];
      return kind === undefined ? value.replaceAll(home, '~') : nameOf(kind, value);
    }
    if (Array.isArray(value)) return value.map((one) => clean('', one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => name !== 'timestamp')
        .map(([name, one]) => [name, clean(name, one)]),
    );
  };
  return durable(events)
    .filter(({ type }) => !anywhere.includes(type))
    .map((event) => clean('', event));
}

/** The events that a journal would keep. */
function durable(events: readonly Event[]): Event[] {
  return events.filter(({ type }) => eventDefinitions[type].delivery === 'durable');
}
