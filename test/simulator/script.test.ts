import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseScript, readScriptFile, scriptJsonSchema, startSimulator } from '../../src/simulator/index.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handraise-script-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a script file', () => {
  const script = { replies: [{ when: { prompt: 'tests' }, blocks: [{ text: 'They pass.' }] }] };

  it.each([
    ['replies.json', JSON.stringify(script)],
    ['replies.yaml', 'replies:\n  - when: { prompt: tests }\n    blocks: [{ text: They pass. }]\n'],
  ])('%s', async (name, content) => {
    const path = join(folder, name);
    await writeFile(path, content);
    expect(await readScriptFile(path)).toEqual(script);
  });

  it('is named when it is missing or no JSON', async () => {
    await expect(readScriptFile(join(folder, 'none.yaml'))).rejects.toMatchObject({ code: 'missing_file' });
    const path = join(folder, 'broken.json');
    await writeFile(path, '{');
    await expect(readScriptFile(path)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(path),
    });
  });
});

it.each([
  [{}, 'replies: Invalid input: expected array, received undefined'],
  [
    { replies: [{ blocks: [{ tool: 'Bash', inptu: {} }] }] },
    'replies[0].blocks[0]: Unrecognized key: "inptu"',
  ],
  [
    { replies: [{ blocks: [{ txt: 'hi' }] }] },
    'replies[0].blocks[0]: expected one of text, think, tool or ask',
  ],
  [{ replies: [{ block: [] }] }, 'replies[0]: Unrecognized key: "block"'],
  [
    { replies: [{ fault: { kind: 'error', status: 200 } }] },
    'replies[0].fault.status: Too small: expected number to be >=400',
  ],
  [
    { replies: [{}, { delayMs: '5' }] },
    'replies[1].delayMs: Invalid input: expected number, received string',
  ],
])('%j is refused with a place and a reason', (script, reason) => {
  expect(() => parseScript(script, 'my.yaml')).toThrow(`my.yaml: ${reason}`);
});

it('has a JSON Schema', () => {
  expect(scriptJsonSchema()).toMatchObject({
    type: 'object',
    required: ['replies'],
    additionalProperties: false,
  });
});

it('uses replies up in order and others by condition', async () => {
  await using simulator = await startSimulator({
    script: {
      replies: [
        { blocks: [{ text: 'first' }] },
        { blocks: [{ text: 'second' }] },
        { when: { prompt: 'weather' }, blocks: [{ tool: 'look', input: { at: 'sky' } }] },
        { when: { toolResult: 'rain' }, blocks: [{ text: 'Take an umbrella.' }] },
        { when: { model: 'small' }, blocks: [{ text: 'I am small.' }] },
        { when: { prompt: 'again', nth: 2 }, blocks: [{ text: 'You said that before.' }] },
      ],
    },
  });
  const ask = async (messages: object[], model = 'big') => {
    const response = await fetch(`${simulator.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model, messages }),
    });
    const { choices } = JSON.parse(await response.text());
    return choices[0].message.content ?? choices[0].message.tool_calls[0].function.name;
  };
  const weather = [{ role: 'user', content: 'How is the weather?' }];
  const rain = [
    ...weather,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', function: { name: 'look', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'heavy rain' },
  ];
  const hello = [{ role: 'user', content: 'hello' }];
  const again = [{ role: 'user', content: 'again' }];

  const said = [
    await ask(weather),
    await ask(hello),
    await ask(rain),
    await ask(hello, 'small'),
    await ask(again),
    await ask(again),
    await ask(again),
  ];

  expect(said).toEqual([
    'look',
    'first',
    'Take an umbrella.',
    'I am small.',
    'second',
    'You said that before.',
    'Simulated reply to: again',
  ]);
});
