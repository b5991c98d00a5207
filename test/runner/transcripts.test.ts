import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ClaudeTranslator, type ClaudeTranslatorOptions } from '../../src/runtimes/claude/translate.js';
import { type HookName, readHook } from '../../src/runtimes/claude/wire.js';
import type { RuntimeFact } from '../../src/runtimes/runtime.js';
import { bash, subAgent } from './prompting.js';
import { type Line, readTranscript, record, type Scenario } from './transcript.js';

// RECORD_TRANSCRIPTS=1 plays the scenarios anew; UPDATE_TRANSCRIPTS=1 only takes the present facts as right.
const recording = process.env.RECORD_TRANSCRIPTS !== undefined;
const updating = recording || process.env.UPDATE_TRANSCRIPTS !== undefined;

const version = '2.1.325';
const folder = new URL(`../fixtures/transcripts/claude/${version}/`, import.meta.url).pathname;

const child = '<<tool Bash {"command":"echo below"}>> <<next>> <<text The child is done.>>';
const schema = { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] };

const scenarios: Record<string, Scenario & Partial<ClaudeTranslatorOptions>> = {
  tools: {
    prompts: [
      `[[text Two at once.]] ${bash('echo one')} ${bash('echo two >&2; exit 3')} [[next]] [[text "Both\\n\\nran."]]`,
      'Again.',
    ],
  },
  question: { prompts: ['[[ask Which colour? | Red | Blue]] [[next]] [[text Red it is.]]'] },
  'sub-agent': { prompts: [`${subAgent(child)} [[next]] [[text The parent is done.]]`] },
  background: {
    prompts: [`${subAgent(child, { run_in_background: true })} [[next]] [[text Launched.]]`],
    results: 2,
  },
  error: {
    prompts: [
      '[[error 529 times=1]] [[text Finally.]]',
      '[[error 400 message="no" times=100]]',
      '[[text Fine.]]',
    ],
    env: { CLAUDE_CODE_MAX_RETRIES: '2' },
  },
  'thinking-structured': {
    prompts: ['[[think Let me see.]] [[tool StructuredOutput {"answer":42}]]'],
    options: { outputFormat: { type: 'json_schema', schema } },
    expectsStructuredOutput: true,
  },
};

function factsOf(lines: readonly Line[], options: Partial<ClaudeTranslatorOptions>): RuntimeFact[] {
  const translator = new ClaudeTranslator({
    now: () => 0,
    limits: {},
    permissionMode: 'bypassPermissions',
    expectsStructuredOutput: false,
    ...options,
  });
  return lines.flatMap((line) => {
    switch (line.kind) {
      case 'begin':
        return translator.begin({ uuid: line.uuid, messageUuid: line.uuid });
      case 'message':
        return translator.message(line.raw);
      case 'hook': {
        const name = (line.raw as { hook_event_name: HookName }).hook_event_name;
        const hook = readHook(name, line.raw);
        return hook ? translator.hook(hook) : [];
      }
      case 'gone':
        return translator.gone('ended');
      default:
        return line satisfies never;
    }
  });
}

describe(`what Claude Code ${version} said`, () => {
  it.each(Object.keys(scenarios))('becomes the same facts as ever: %s', async (name) => {
    const scenario = scenarios[name] ?? { prompts: [] };
    if (recording) {
      mkdirSync(folder, { recursive: true });
      const lines = await record(scenario);
      writeFileSync(`${folder}${name}.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    }
    const { expectsStructuredOutput = false } = scenario;
    const facts = factsOf(readTranscript(`${folder}${name}.jsonl`), { expectsStructuredOutput });
    const file = `${folder}${name}.facts.jsonl`;
    if (updating) writeFileSync(file, facts.map((fact) => `${JSON.stringify(fact)}\n`).join(''));
    const expected: unknown[] = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(facts).toEqual(expected);
    expect(facts.filter(({ type }) => type === 'unrecognized')).toEqual([]);
  });

  it('[event unrecognized] keeps what a newer version says, whole', () => {
    const news = [
      { type: 'hologram', colour: 'blue' },
      { type: 'system', subtype: 'levitation_started', height: 3 },
      { type: 'result', subtype: 'success' },
      'a bare word',
      null,
    ];
    expect(
      factsOf(
        news.map((raw) => ({ kind: 'message', raw })),
        {},
      ),
    ).toEqual(news.map((raw) => ({ type: 'unrecognized', raw })));
  });
});
