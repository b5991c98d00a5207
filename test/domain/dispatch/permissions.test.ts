import { describe, expect, test } from 'vitest';
import { resolvePermissions } from '../../../src/domain/dispatch/permissions.js';
import { Failure } from '../../../src/protocol/failure.js';
import { PermissionMode } from '../../../src/protocol/posture.js';

describe('permissions and mode', () => {
  test.each([
    [{}, 'approval', 'default'],
    [{ permissions: 'approval' }, 'approval', 'default'],
    [{ permissions: 'autonomous' }, 'autonomous', 'bypassPermissions'],
    [{ permissionMode: 'default' }, 'approval', 'default'],
    [{ permissionMode: 'acceptEdits' }, 'approval', 'acceptEdits'],
    [{ permissionMode: 'plan' }, 'approval', 'plan'],
    [{ permissionMode: 'bypassPermissions' }, 'autonomous', 'bypassPermissions'],
    [{ permissionMode: 'dontAsk' }, 'autonomous', 'dontAsk'],
  ] as const)('%j', (asked, permissions, permissionMode) => {
    expect(resolvePermissions(asked)).toEqual({ permissions, permissionMode });
  });

  const allowed = new Set([
    'approval default',
    'approval acceptEdits',
    'approval plan',
    'autonomous bypassPermissions',
    'autonomous dontAsk',
    'autonomous plan',
  ]);
  const pairs = (['approval', 'autonomous'] as const).flatMap((permissions) =>
    PermissionMode.options.map((permissionMode) => ({ permissions, permissionMode })),
  );

  test.each(pairs)('$permissions with $permissionMode', (pair) => {
    const { permissions, permissionMode } = pair;
    if (allowed.has(`${permissions} ${permissionMode}`)) expect(resolvePermissions(pair)).toEqual(pair);
    else expect(() => resolvePermissions(pair)).toThrow(Failure);
  });

  test('a pair that is refused is told with what would do', () => {
    expect(() => resolvePermissions({ permissions: 'approval', permissionMode: 'dontAsk' })).toThrow(
      new Failure(
        'invalid',
        'The permission mode dontAsk does not go with approval permissions, which take default, acceptEdits, plan.',
      ),
    );
  });
});
