// @module-tag full
// The same with real agents: the truth is the script of the model, what the model was asked, and /proc; never an event of ours.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { DispatchRequest } from '../../src/protocol/dispatch.js';
import type { StatusReport } from '../../src/protocol/status.js';
import { rigs } from '../contract/runtimes/rigs.js';
import type { Stage } from '../harness/stage.js';
import { waitUntil } from '../harness/wait-until.js';
import { HostStage, owner } from '../host/host-stage.js';

type State = StatusReport['state'];

// For so long nothing else may be published than what is true.
const holdMs = 500;

/** Everything that is published, and what of it contradicts the truth as the script has it. */
class Published {
  readonly states: State[] = [];
  readonly wrong: string[] = [];
  #true: readonly State[] = [];

  take(state: State): void {
    this.states.push(state);
    if (!this.#true.includes(state)) this.wrong.push(`${state}, and in truth ${this.#true.join(' or ')}`);
  }

  /** The script goes from one state to the next: until the next event, either may be published. */
  turns(...states: State[]): void {
    this.#true = states;
  }

  /** The truth is this now: it is published, and nothing else. */
  async is(state: State): Promise<void> {
    await waitUntil(`${state} is published`, () => this.states.at(-1) === state);
    this.#true = [state];
    await delay(holdMs);
  }
}

/** The processes of a test that have this in their command line, by /proc. */
function living(home: string, words: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const has = (file: string, text: string) =>
        readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').includes(text);
      try {
        return has('cmdline', words) && !has('cmdline', 'handraise-runner') && has('environ', home);
      } catch {
        return false;
      }
    });
}

const chosen = rigs.filter(({ runtime: { name } }) =>
  ['claude', 'codex', 'opencode', 'acp:gemini', 'exec', 'amp'].includes(name),
);

test.each(chosen.map((rig) => ({ name: rig.runtime.name, rig })))(
  '$name: no status contradicts the truth',
  async ({ name, rig }) => {
    const opened = await rig.open();
    if (!('mark' in opened)) throw new Error('a stage of ours has a mark');
    const stage = opened as Stage;
    const at = new HostStage(stage, { slots: 4, retries: 0, idleTimeoutMinutes: 15, keepSpare: false });
    onTestFinished(async () => await at.close());
    await at.open();
    const published = new Published();
    using _ = at.host.statuses.subscribe(({ status }) => published.take(status.state));
    const command = rig.args?.[1];
    const request: Partial<DispatchRequest> = {
      runtime: name,
      ...(command !== undefined && { posture: { command } }),
    };
    const tells = name !== 'exec' && name !== 'amp';
    const isThere = () => living(stage.home, rig.process).length > 0;
    const silent = name === 'exec' ? rig.shell('sleep 600') : '[[delay 600000]] [[text Never.]]';
    const heard = (text: string) => (name === 'exec' ? waitUntil('it runs', isThere) : at.modelAsked(text));

    if (tells) {
      const text = `[[delay 700]] ${rig.asking('touch made')} [[next]] [[delay 1200]] [[text Done.]]`;
      published.turns('initializing', 'busy', 'question');
      const work = await at.work(text, request);
      await heard('touch made');
      expect(isThere()).toBe(true);
      const prompt = await at.asked(work.threadId);
      await published.is('question');
      expect(stage.simulator.toolResults()).toEqual([]);
      published.turns('question', 'busy');
      await at.host.prompts.answer(prompt.id, { decision: { approved: true, scope: 'once' } }, owner);
      await waitUntil('the model has the result', () => stage.simulator.toolResults().length > 0);
      await published.is('busy');
      published.turns('busy', 'idle');
      await at.ended(work);
      await published.is('idle');
      expect(isThere()).toBe(true);
      published.turns('idle', 'busy');
      await at.work(silent, { thread: work.threadId });
      await heard('Never.');
      await published.is('busy');
      published.turns('busy', 'crashed');
    } else {
      published.turns('initializing', 'unknown');
      const work = await at.work(
        name === 'exec' ? rig.shell('sleep 1') : '[[delay 1000]] [[text Done.]]',
        request,
      );
      await waitUntil('its process is there', isThere);
      await published.is('unknown');
      published.turns('unknown', 'stopped');
      await at.ended(work);
      await published.is('stopped');
      expect(isThere()).toBe(false);
      published.turns('stopped', 'unknown');
      await at.work(silent, { thread: work.threadId });
      await waitUntil('its process is there', isThere);
      await published.is('unknown');
      published.turns('unknown', 'stopped', 'crashed');
    }
    for (const pid of living(stage.home, rig.process)) process.kill(pid, 'SIGKILL');
    await waitUntil('it is gone', () => !isThere());
    await published.is('crashed');
    process.stdout.write(
      `${name}: ${published.states.length} statuses were published, ${published.wrong.length} contradict the truth\n`,
    );
    expect(published.wrong).toEqual([]);
  },
);
