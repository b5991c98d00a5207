import type { Event, EventType } from '../protocol/event.js';
import { stringField } from '../protocol/string-field.js';

/** The events of one type. */
export function only<Type extends EventType>(events: readonly Event[], type: Type): Event<Type>[] {
  return events.flatMap((event) => (isOfType(event, type) ? [event] : []));
}

/** The first event of a type; a test that needs it fails here when there is none. */
export function first<Type extends EventType>(events: readonly Event[], type: Type): Event<Type> {
  const [event] = only(events, type);
  if (!event) throw new Error(`no ${type} among ${events.map((one) => one.type).join(', ')}`);
  return event;
}

/** What the agent said, put together again. */
export function textOf(events: readonly Event[]): string {
  return only(events, 'assistant_text')
    .map(({ content }) => content)
    .join('');
}

/** Whether something is an event of a type. */
export function isOfType<Type extends EventType>(event: unknown, type: Type): event is Event<Type> {
  return stringField(event, 'type') === type;
}
