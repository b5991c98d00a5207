import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CodexTranslator, type CodexTranslatorOptions } from '../../../src/runtimes/codex/translate.js';
import { readNotification, readRequest, WireOpened } from '../../../src/runtimes/codex/wire.js';
import type { RuntimeFact } from '../../../src/runtimes/runtime.js';
import { tool } from '../../runner/prompting.js';
import { asking, shell } from './codex-driver.js';
import { type Line, readTranscript, record, type Scenario } from './transcript.js';

// RECORD_TRANSCRIPTS=1 plays the scenarios anew; UPDATE_TRANSCRIPTS=1 only takes the present facts as right.
const recording = process.env.RECORD_TRANSCRIPTS !== undefined;
const updating = recording || process.env.UPDATE_TRANSCRIPTS !== undefined;

const version = '0.166.0';
const folder = new URL(`../../fixtures/transcripts/codex/${version}/`, import.meta.url).pathname;
const patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch\nEOF";
const child = '<<tool exec_command {"cmd":"ls"}>> <<next>> <<text The child is done.>>';

const scenarios: Record<string, Scenario> = {
  tools: {
    prompts: [
      `[[think Two at once.]] ${shell('ls')} ${shell('cat nothing')} [[next]] [[text "Both\\n\\nran."]]`,
      'Again.',
    ],
  },
  approvals: { prompts: [`${asking('touch x')} [[next]] ${shell(patch)} [[next]] [[text Went on.]]`] },
  question: { prompts: ['[[ask Which colour? | Red | Blue]] [[next]] [[text Blue it is.]]'] },
  plan: { prompts: ['[[text "First.\\n<proposed_plan>\\n# Plan\\n</proposed_plan>\\n"]]'], mode: 'plan' },
  interrupt: { prompts: ['[[slow 30]] [[deltas 500 word]]'], interruptAt: 'item/agentMessage/delta' },
  error: { prompts: ['[[error 401]]', '[[error 429]]', '[[error 500]]', '[[cut 4]]', '[[text Fine.]]'] },
  'sub-agent': {
    prompts: [
      `${tool('multi_agent_v1__spawn_agent', { message: child })} [[next]] [[delay 1500]] [[text The parent is done.]]`,
    ],
  },
};

function translator(options: Partial<CodexTranslatorOptions> = {}): CodexTranslator {
  return new CodexTranslator({
    now: () => 0,
    cwd: '/home/tester/workspace',
    permissionMode: 'default',
    expectsStructuredOutput: false,
    ...options,
  });
}

function factsOf(lines: readonly Line[], options: Partial<CodexTranslatorOptions>): RuntimeFact[] {
  const translating = translator(options);
  return lines.flatMap((line) => {
    switch (line.kind) {
      case 'opened':
        translating.opened(WireOpened.parse(line.raw));
        return [];
      case 'begin':
        return translating.begin(line.uuid);
      case 'said':
        if (readRequest(line.method, line.params)) return [];
        return translating.notification(readNotification(line.method, line.params));
      case 'gone':
        return translating.gone('ended');
      default:
        return line satisfies never;
    }
  });
}

describe(`what Codex ${version} said`, () => {
  it.each(Object.keys(scenarios))('becomes the same facts as ever: %s', async (name) => {
    const scenario = scenarios[name] ?? { prompts: [] };
    if (recording) {
      mkdirSync(folder, { recursive: true });
      const lines = await record(scenario);
      writeFileSync(`${folder}${name}.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    }
    const facts = factsOf(readTranscript(`${folder}${name}.jsonl`), {
      permissionMode: scenario.mode ?? 'default',
    });
    const file = `${folder}${name}.facts.jsonl`;
    if (updating) writeFileSync(file, facts.map((fact) => `${JSON.stringify(fact)}\n`).join(''));
    const expected: unknown[] = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(facts).toEqual(expected);
    expect(facts.filter(({ type }) => type === 'unrecognized')).toEqual([]);
  });

  it('is kept whole where nobody knows it', () => {
    const news: [string, unknown][] = [
      ['hologram/shown', { colour: 'blue' }],
      ['turn/completed', { turn: 'a bare word' }],
      ['item/started', null],
    ];
    expect(news.flatMap((said) => translator().notification(readNotification(...said)))).toEqual(
      news.map(([method, params]) => ({ type: 'unrecognized', raw: { method, params } })),
    );
  });

  it('is given up when nobody has answered for a minute, or when the login is wrong', () => {
    let now = 0;
    const translating = translator({ now: () => now });
    const thread = { thread: { id: 't' }, cwd: '/', model: 'm' };
    translating.opened(WireOpened.parse(thread));
    translating.begin('u');
    const fails = (info: unknown) =>
      translating.notification(
        readNotification('error', {
          threadId: 't',
          turnId: 'x',
          willRetry: true,
          error: { message: 'no', codexErrorInfo: info },
        }),
      );
    const unreachable = { responseStreamDisconnected: { httpStatusCode: null } };
    fails(unreachable);
    now = 59_000;
    fails(unreachable);
    expect(translating.retries.hopeless).toBeNull();
    now = 61_000;
    fails(unreachable);
    expect(translating.retries.hopeless).not.toBeNull();
    const completed = { threadId: 't', turn: { id: 'x', status: 'interrupted', error: null } };
    expect(translating.notification(readNotification('turn/completed', completed)).at(-1)).toMatchObject({
      type: 'turn_ended',
      interrupted: false,
      result: { success: false, errorKind: 'network' },
    });
    translating.begin('v');
    expect(fails('unauthorized')).toMatchObject([{ type: 'auth_error' }]);
    expect(translating.retries.hopeless).not.toBeNull();
  });
});
