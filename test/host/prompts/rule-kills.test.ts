// @module-tag full
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bash } from '../../runner/prompting.js';
import { openHostStage, owner } from '../host-stage.js';

const program = new URL('../rule-host.js', import.meta.url).pathname;

// "decided" is between the rule's decision and its record, "recorded" between the record and the agent's hearing of it.
test.each(['decided', 'recorded'] as const)(
  'a worker that is killed when a rule has %s answers exactly once all the same',
  async (kill) => {
    const at = await openHostStage();
    const text = `${bash('echo once >> counted')} [[next]] [[text done]]`;
    const first = await at.work(text);
    const { id: answered } = await at.asked(first.threadId);
    await at.host.prompts.answer(answered, { decision: { approved: true } }, owner);
    await at.ended(first);
    const { workspace } = await at.host.threads.get(first.threadId);
    const rule = await at.host.rules.create({ name: 'count', from: [answered] }, owner);
    await at.host.rules.switchOn(rule.id, {}, owner);
    await at.leave();

    const work = { text, runtime: 'claude', workspace: { path: workspace.path } };
    const argument = JSON.stringify({ home: at.home, env: at.stage.env, work, kill });
    const child = spawn(process.execPath, [program, argument], { stdio: 'ignore', env: at.stage.env });
    const [, signal]: unknown[] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');

    await at.open();
    const { rows } = await at.store.query('dispatches', { limit: 100 });
    const [given] = rows.filter(({ id }) => id !== first.id);
    if (!given) throw new Error('The work was committed before the worker died.');
    expect((await at.ended(given)).outcome?.result).toBe('succeeded');
    const prompts = (await at.store.query('prompts', { limit: 100 })).rows;
    expect(prompts.map(({ actor, state }) => [actor, state])).toEqual([
      [owner, 'answered'],
      ['policy:count@1', 'answered'],
    ]);
    expect(await at.host.rules.get(rule.id)).toMatchObject({ state: 'on', used: 1 });
    expect(readFileSync(join(workspace.path, 'counted'), 'utf8')).toBe('once\nonce\n');
  },
);
