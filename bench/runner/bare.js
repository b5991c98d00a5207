// The baseline: the shortest host that the SDK allows. One JSON line per text delta and per result, no more.
import { createInterface } from 'node:readline';
import { query } from '@anthropic-ai/claude-agent-sdk';
import { bareOptions } from '../shared/bare-options.js';

async function* messages() {
  for await (const line of createInterface({ input: process.stdin })) {
    const { content } = JSON.parse(line);
    yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
  }
}

// @ts-expect-error a plain script: the literal types of a prompt and of options are wider here
for await (const message of query({ prompt: messages(), options: bareOptions })) {
  if (message.type === 'stream_event') {
    const { event } = message;
    if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
      process.stdout.write(`${JSON.stringify({ type: 'text_delta', content: event.delta.text })}\n`);
    }
  } else if (message.type === 'result') {
    process.stdout.write(`${JSON.stringify({ type: 'turn_complete' })}\n`);
  }
}
