import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MarkedFamily } from '../../../src/process/families/marked-family.js';
import { becomes, isLiving, startFixture, trackPid } from '../fixture.js';

describe.runIf(process.platform === 'linux')('a marked family', () => {
  const name = `HANDRAISE_TEST_${randomUUID().replaceAll('-', '_')}`;

  it('is who carries the variable and who they started', async () => {
    const family = new MarkedFamily(name);
    expect(family.look()).toEqual(new Set());
    const unmarked = await startFixture('keeps-session.sh');
    trackPid(unmarked.line);
    const { child, line } = await startFixture('keeps-session.sh', { [name]: '1' });
    const grandchild = trackPid(line);
    // Until it has its own session, the end of the group is its end too.
    await becomes(grandchild, 'sleep');
    expect(family.look()).toEqual(new Set([child.pid, grandchild]));
    expect(family.look()).toEqual(new Set([child.pid, grandchild]));
    process.kill(-child.pgid, 'SIGKILL');
    await child.exited;
    expect(isLiving(grandchild)).toBe(true);
    expect(family.look()).toEqual(new Set([grandchild]));
  });

  it('keeps a member that shed the variable and whose parent died', async () => {
    const family = new MarkedFamily(name);
    const { child, line } = await startFixture('keeps-nameless-session.sh', { [name]: '1' });
    const bare = trackPid(line);
    await becomes(bare, 'sleep');
    expect(new MarkedFamily(name).look()).toEqual(new Set([child.pid, bare]));
    expect(family.look()).toEqual(new Set([child.pid, bare]));
    process.kill(-child.pgid, 'SIGKILL');
    await child.exited;
    expect(family.look()).toEqual(new Set([bare]));
    // Who looks for the first time now cannot know any more.
    expect(new MarkedFamily(name).look()).toEqual(new Set());
  });

  it('takes no notice of what we run inside of', () => {
    const inherited = Object.keys(process.env).find(
      (variable) => process.env[variable] === process.env['PATH'],
    );
    expect(new MarkedFamily(inherited ?? 'PATH').look().has(process.pid)).toBe(false);
    expect(new MarkedFamily(inherited ?? 'PATH').look().has(process.ppid)).toBe(false);
  });
});
