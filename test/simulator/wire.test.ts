import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../src/simulator/index.js';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ idSeed: 'x' });
});
afterAll(() => simulator[Symbol.asyncDispose]());

const prompt =
  '[[think hm]] [[text Hello, wide world 🌍!]] [[tool look {"at":"[[it]]"}]] [[usage input=7 output=5]]';

describe('anthropic', () => {
  it('answers in one piece', async () => {
    expect(await post('/v1/messages', { model: 'm', messages: [{ role: 'user', content: prompt }] })).toEqual(
      {
        id: id('msg'),
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [
          { type: 'thinking', thinking: 'hm', signature: expect.any(String) },
          { type: 'text', text: 'Hello, wide world 🌍!' },
          { type: 'tool_use', id: id('call'), name: 'look', input: { at: '[[it]]' } },
        ],
        stop_reason: 'tool_use',
        stop_sequence: null,
        usage: {
          input_tokens: 7,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
          output_tokens: 5,
          service_tier: 'standard',
        },
      },
    );
  });

  it('streams', async () => {
    const body = { model: 'm', stream: true, messages: [{ role: 'user', content: prompt }] };
    const events = await stream('/v1/messages', body);
    expect(events.map(({ type, delta }) => (delta ? delta : type))).toEqual([
      'message_start',
      'content_block_start',
      { type: 'thinking_delta', thinking: 'hm' },
      { type: 'signature_delta', signature: expect.any(String) },
      'content_block_stop',
      'content_block_start',
      { type: 'text_delta', text: 'Hello, wide worl' },
      { type: 'text_delta', text: 'd 🌍!' },
      'content_block_stop',
      'content_block_start',
      { type: 'input_json_delta', partial_json: '{"at":"[[it]]"}' },
      'content_block_stop',
      { stop_reason: 'tool_use', stop_sequence: null },
      'message_stop',
    ]);
  });

  it('counts tokens', async () => {
    expect(await post('/v1/messages/count_tokens?beta=true', { messages: [] })).toEqual({ input_tokens: 4 });
  });
});

describe('responses', () => {
  const items = [
    { type: 'reasoning', id: id('msg'), summary: [{ type: 'summary_text', text: 'hm' }] },
    {
      type: 'message',
      id: id('msg'),
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello, wide world 🌍!', annotations: [] }],
    },
    {
      type: 'function_call',
      id: id('msg'),
      call_id: id('call'),
      name: 'look',
      arguments: '{"at":"[[it]]"}',
      status: 'completed',
    },
  ];

  it.each(['/v1/responses', '/responses'])('answers in one piece at %s', async (path) => {
    expect(await post(path, { model: 'm', input: prompt })).toMatchObject({
      object: 'response',
      status: 'completed',
      output: items,
      usage: { input_tokens: 7, output_tokens: 5, total_tokens: 12 },
    });
  });

  it('streams', async () => {
    const events = await stream('/v1/responses', {
      stream: true,
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] }],
    });
    const done = events.filter(({ type }) => type === 'response.output_item.done');
    expect(done.map(({ item }) => item)).toEqual(items);
    expect(
      events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta),
    ).toEqual(['Hello, wide worl', 'd 🌍!']);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(['response.created', 'response.completed']);
  });

  it('calls a freeform tool with plain text', async () => {
    const answer = await post('/v1/responses', {
      tools: [{ type: 'custom', name: 'apply_patch' }],
      input: '[[tool apply_patch {"input":"*** Begin Patch"}]]',
    });
    expect(answer.output).toEqual([
      {
        type: 'custom_tool_call',
        id: id('msg'),
        call_id: id('call'),
        name: 'apply_patch',
        input: '*** Begin Patch',
        status: 'completed',
      },
    ]);
  });
});

describe('chat', () => {
  const messages = [{ role: 'user', content: prompt }];
  const usage = {
    prompt_tokens: 7,
    completion_tokens: 5,
    total_tokens: 12,
    prompt_tokens_details: { cached_tokens: 0 },
  };

  it('answers in one piece', async () => {
    expect(await post('/v1/chat/completions', { model: 'm', messages })).toEqual({
      id: id('chatcmpl_msg'),
      object: 'chat.completion',
      created: 0,
      model: 'm',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Hello, wide world 🌍!',
            tool_calls: [
              { id: id('call'), type: 'function', function: { name: 'look', arguments: '{"at":"[[it]]"}' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage,
    });
  });

  it('streams', async () => {
    const events = await stream('/chat/completions', { stream: true, messages });
    expect(events.map((event) => event.usage ?? event.choices?.[0])).toEqual([
      choice({ role: 'assistant', content: '' }),
      choice({ reasoning_content: 'hm' }),
      choice({ content: 'Hello, wide worl' }),
      choice({ content: 'd 🌍!' }),
      choice({
        tool_calls: [
          { index: 0, id: id('call'), type: 'function', function: { name: 'look', arguments: '' } },
        ],
      }),
      choice({ tool_calls: [{ index: 0, function: { arguments: '{"at":"[[it]]"}' } }] }),
      choice({}, 'tool_calls'),
      usage,
    ]);
  });
});

describe('gemini', () => {
  const body = { contents: [{ role: 'user', parts: [{ text: prompt }] }] };
  const usageMetadata = {
    promptTokenCount: 7,
    cachedContentTokenCount: 0,
    candidatesTokenCount: 5,
    totalTokenCount: 12,
  };
  const call = { functionCall: { id: id('call'), name: 'look', args: { at: '[[it]]' } } };

  it('answers in one piece', async () => {
    expect(await post('/v1beta/models/gemini-9:generateContent', body)).toEqual({
      candidates: [
        {
          index: 0,
          content: {
            role: 'model',
            parts: [{ text: 'hm', thought: true }, { text: 'Hello, wide world 🌍!' }, call],
          },
          finishReason: 'STOP',
        },
      ],
      modelVersion: 'gemini-9',
      responseId: id('msg'),
      usageMetadata,
    });
  });

  it('streams', async () => {
    const events = await stream('/v1beta/models/gemini-9:streamGenerateContent?alt=sse', body);
    expect(events.map(({ candidates }) => candidates?.[0]?.content.parts)).toEqual([
      [{ text: 'hm', thought: true }],
      [{ text: 'Hello, wide worl' }],
      [{ text: 'd 🌍!' }],
      [call],
      [{ text: '' }],
    ]);
    expect(events.at(-1)).toMatchObject({ usageMetadata });
  });

  it('counts tokens', async () => {
    expect(await post('/v1beta/models/gemini-9:countTokens', { contents: [] })).toEqual({ totalTokens: 4 });
  });
});

it('lists a model and answers HEAD', async () => {
  expect((await fetch(`${simulator.url}/api/hello`, { method: 'HEAD' })).status).toBe(200);
  expect(await (await fetch(`${simulator.url}/v1/models`)).json()).toMatchObject({
    data: [{ id: 'sim' }],
    models: [],
  });
  expect((await fetch(`${simulator.url}/nowhere`)).status).toBe(404);
});

// The answers of four vendors have no shape in common; the tests look into them field by field.
interface Answer extends Record<string, unknown> {
  choices?: object[];
  candidates?: { content: { parts: object[] } }[];
}

async function post(path: string, body: object): Promise<Answer> {
  const response = await fetch(simulator.url + path, { method: 'POST', body: JSON.stringify(body) });
  return JSON.parse(await response.text());
}

async function stream(path: string, body: object): Promise<Answer[]> {
  const response = await fetch(simulator.url + path, { method: 'POST', body: JSON.stringify(body) });
  const data = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
  return data
    .filter((line) => line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice('data: '.length)));
}

function choice(delta: object, finish_reason: string | null = null) {
  return { index: 0, delta, finish_reason };
}

function id(prefix: string): unknown {
  return expect.stringMatching(new RegExp(`^${prefix}_simx\\d{5}(_\\d)?$`));
}
