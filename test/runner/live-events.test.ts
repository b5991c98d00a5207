import { expect, test } from 'vitest';
import { eventDefinitions } from '../../src/protocol/event.js';
import { keysOf } from '../../src/protocol/keys.js';
import { liveEvents } from '../../src/runner/live-events.js';

test('the live events are those that the protocol defines as live', () => {
  const defined = keysOf(eventDefinitions).filter((type) => eventDefinitions[type].delivery === 'live');
  expect([...liveEvents].toSorted()).toEqual(defined.toSorted());
});
