// The floor: the bare SDK in one process that stays, with a query for each session. A JSON line per delta and per result.
import { createInterface } from 'node:readline';
import { query } from '@anthropic-ai/claude-agent-sdk';
import { bareOptions } from '../shared/bare-options.js';

/** @type {Map<string, (message: object) => void>} */
const sessions = new Map();

for await (const line of createInterface({ input: process.stdin })) {
  const { id, cwd, content } = JSON.parse(line);
  const message = { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
  const tell = sessions.get(id) ?? begin(id, cwd);
  tell(message);
}

function noop() {}

/** @param {string} id @param {string} cwd */
function begin(id, cwd) {
  /** @type {object[]} */
  const waiting = [];
  let wake = noop;
  const tell = (/** @type {object} */ message) => {
    waiting.push(message);
    wake();
  };
  sessions.set(id, tell);
  void serve(id, cwd, messages());
  return tell;

  async function* messages() {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift();
      await new Promise((resolve) => {
        wake = () => resolve(undefined);
      });
    }
  }
}

/** @param {string} id @param {string} cwd @param {AsyncIterable<unknown>} prompt */
async function serve(id, cwd, prompt) {
  // @ts-expect-error a plain script: the literal types of a prompt and of options are wider here
  for await (const message of query({ prompt, options: { ...bareOptions, cwd } })) {
    if (message.type === 'stream_event') {
      const { event } = message;
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
        process.stdout.write(`${JSON.stringify({ id, text: event.delta.text })}\n`);
    } else if (message.type === 'result') {
      process.stdout.write(`${JSON.stringify({ id, ended: true })}\n`);
    }
  }
}
