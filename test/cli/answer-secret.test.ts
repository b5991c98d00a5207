// A secret in a command line is seen by every user of the machine (CWE-214), and the shell keeps it (CWE-532).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openTestServer } from '../http/test-server.js';

const program = new URL('../../bin/handraise.js', import.meta.url).pathname;
const secret = 'hunter2-correct-horse';

async function openAsked(isSecret: boolean) {
  const server = await openTestServer();
  const questions = [{ question: 'The password?', multiSelect: false, isSecret, options: [] }];
  const prompt = {
    ...server.host.addPrompt(server.host.addThread().id),
    kind: 'ask_user_question',
    questions,
  } as const;
  server.host.promptsById.set(prompt.id, prompt);
  return {
    server,
    id: prompt.id,
    answers: () => server.host.asked.filter(([what]) => what === 'answer').map(([, , answer]) => answer),
    run: async (args: readonly string[], input = '') => {
      const env = { PATH: process.env['PATH'], HANDRAISE_URL: server.url, HANDRAISE_TOKEN: server.token() };
      const child = spawn(process.execPath, [program, 'answer', prompt.id, ...args], { env });
      child.stdin.end(input);
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit'),
      ]);
      return { code: Number(code), said: stdout + stderr };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

it.each([
  ['as words', [secret]],
  ['as a text', ['--text', secret]],
  ['as JSON', ['--json-answers', JSON.stringify([{ question: 'The password?', answer: [secret] }])]],
])('a secret that is given %s is refused, and nothing is sent', async (_how, args) => {
  await using asked = await openAsked(true);
  const { code, said } = await asked.run(args);
  expect([code, said]).toEqual([65, expect.stringContaining(`handraise answer ${asked.id} --stdin`)]);
  expect(said).not.toContain(secret);
  expect(asked.answers()).toEqual([]);
});

it('a secret comes over standard input, without the line end, and is never printed', async () => {
  await using asked = await openAsked(true);
  const { code, said } = await asked.run(['--stdin'], `${secret}\n`);
  expect([code, said.includes(secret)]).toEqual([0, false]);
  expect(asked.answers()).toEqual([{ answers: [{ question: 'The password?', answer: [secret] }] }]);
});

it('standard input answers other questions, too; an empty one answers nothing', async () => {
  await using asked = await openAsked(false);
  expect((await asked.run(['--stdin'], '')).code).toBe(64);
  expect((await asked.run([])).code).toBe(64);
  expect((await asked.run(['--stdin'], 'two\nlines\n')).code).toBe(0);
  expect(asked.answers()).toEqual([{ text: 'two\nlines' }]);
});
