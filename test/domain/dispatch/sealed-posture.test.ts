import { expect, test } from 'vitest';
import { sealedPosture } from '../../../src/domain/dispatch/sealed-posture.js';

test('a posture is what it was, with what was changed since, in order', () => {
  const run = {
    posture: { model: 'a', permissionMode: 'plan' as const, toolPreset: 'read-only' as const },
    amendments: [
      { posture: { model: 'b' } },
      { posture: { permissionMode: 'default' as const } },
      { posture: { model: 'c' } },
    ],
  };
  expect(sealedPosture(run)).toEqual({ model: 'c', permissionMode: 'default', toolPreset: 'read-only' });
  expect(sealedPosture({ posture: run.posture, amendments: [] })).toEqual(run.posture);
});
