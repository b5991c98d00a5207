import { expect, test } from 'vitest';
import { withLoginHint } from '../../src/runner/login-hint.js';
import { openHostStage } from '../host/host-stage.js';

test('who runs under a worker is told that a key which was set later does not arrive; others are not', () => {
  expect(withLoginHint('Log in.', { isUnderWorker: true })).toMatch(
    /^Log in\. A key that was set after .* "handraise down && handraise up -d"\.$/,
  );
  expect(withLoginHint('Log in.', { isUnderWorker: false })).toBe('Log in.');
});

test('whose agent works in a container is told where its login is', () => {
  const spec = { image: 'agent:1' };
  const container = { spec, client: { file: 'docker', env: {} }, folder: '/h', runtime: 'claude' } as const;
  expect(withLoginHint('Log in.', { container })).toMatch(/^Log in\. In a container .* "handraise attach"/);
});

test('work whose login is refused ends with that advice', { tags: ['full'] }, async () => {
  const at = await openHostStage();
  const { outcome } = await at.done('[[error 401 times=100]]', { retries: 0 });
  expect(outcome).toMatchObject({
    reason: 'auth',
    exitCode: 77,
    summary: expect.stringContaining('handraise down && handraise up -d'),
  });
});
