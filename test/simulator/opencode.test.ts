// @module-tag full
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { runtimeCommand } from '../harness/runtime-install.js';
import { openStage, type Stage } from '../harness/stage.js';
import { waitUntil } from '../harness/wait-until.js';

it('drives opencode through two turns with parallel tool calls and a question', async () => {
  await using stage = await openStage('opencode');
  await using opencode = await startOpencode(stage);
  const { id } = z.object({ id: z.string() }).parse(await opencode.post('/session', {}));

  const first = opencode.prompt(id, `${shell('echo one')} ${shell('echo two')} [[next]] [[text Both ran.]]`);
  expect(await first).toEqual(['Both ran.']);
  const second = opencode.prompt(id, '[[ask Which colour? | Red | Blue]] [[next]] [[text Blue it is.]]');
  const question = await opencode.openQuestion();
  await opencode.post(`/question/${question}/reply`, { answers: [['Blue']] });
  expect(await second).toEqual(['Blue it is.']);

  const { simulator } = stage;
  expect(
    simulator.modelRequests().map(({ wire, decision, answer }) => [wire, decision?.from, answer?.status]),
  ).toEqual([...Array(4)].map(() => ['chat', 'prompt', 200]));
  expect(simulator.toolResults().map(({ text }) => text)).toEqual([
    'one\n',
    'two\n',
    expect.stringContaining('"Which colour?"="Blue"'),
  ]);
  const side = simulator.requests.flatMap(({ decision }) => decision?.sideCall ?? []);
  expect(side).toEqual(['title']);
});

function shell(command: string): string {
  return `[[tool bash ${JSON.stringify({ command, description: command })}]]`;
}

interface Opencode extends AsyncDisposable {
  post(path: string, body: object): Promise<unknown>;
  /** Gives a prompt and waits for the texts of the turn's last message. */
  prompt(session: string, text: string): Promise<string[]>;
  openQuestion(): Promise<string>;
}

async function startOpencode({ workspace, env }: Stage): Promise<Opencode> {
  const [program, ...args] = await runtimeCommand('opencode');
  const child = spawn(program, [...args, 'serve', '--port', '0', '--hostname', '127.0.0.1'], {
    cwd: workspace,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const url = await listeningAddress(createInterface({ input: child.stdout }));
  const post = (path: string, body: object) =>
    json(
      fetch(url + path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    );
  return {
    post,
    async prompt(session, text) {
      const Message = z.object({
        parts: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
      });
      const { parts } = Message.parse(
        await post(`/session/${session}/message`, { parts: [{ type: 'text', text }] }),
      );
      return parts.flatMap((part) => (part.type === 'text' && part.text !== undefined ? [part.text] : []));
    },
    async openQuestion() {
      let open: { id: string }[] = [];
      await waitUntil('OpenCode asks', async () => {
        open = z.array(z.object({ id: z.string() })).parse(await json(fetch(`${url}/question`)));
        return open.length > 0;
      });
      return open[0]?.id ?? '';
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function listeningAddress(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const url = /listening on (http:\S+)/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('opencode ended before it listened');
}

async function json(answer: Promise<Response>): Promise<unknown> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}
