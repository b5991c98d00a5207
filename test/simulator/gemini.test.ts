// @module-tag full
import { expect, it } from 'vitest';
import * as z from 'zod';
import { JsonRpcProcess } from '../harness/json-rpc.js';
import { runtimeCommand } from '../harness/runtime-install.js';
import { openStage, type Stage } from '../harness/stage.js';

// Gemini offers no question tool over ACP, so there is no question here.
it('drives gemini through two turns with parallel tool calls', async () => {
  await using stage = await openStage('gemini');
  await using gemini = await startGemini(stage);
  const session = await gemini.call('session/new', { cwd: stage.workspace, mcpServers: [] });
  const { sessionId } = z.object({ sessionId: z.string() }).parse(session);

  const stops = [
    await prompt(gemini, sessionId, `${shell('echo one')} ${shell('echo two')} [[next]] [[text Both ran.]]`),
    await prompt(
      gemini,
      sessionId,
      `${shell('echo three')} [[next]] [[think Enough.]] [[text That was all.]]`,
    ),
  ];

  expect(stops).toEqual(['end_turn', 'end_turn']);
  const { simulator } = stage;
  expect(
    simulator.modelRequests().map(({ wire, decision, answer }) => [wire, decision?.from, answer?.status]),
  ).toEqual([...Array(4)].map(() => ['gemini', 'prompt', 200]));
  expect(simulator.toolResults().map(({ text }) => text)).toEqual(
    ['one', 'two', 'three'].map((word) => expect.stringContaining(word)),
  );
  expect(agentText(gemini)).toEqual('Both ran.That was all.');
});

async function startGemini({ workspace, env }: Stage): Promise<JsonRpcProcess> {
  const gemini = new JsonRpcProcess({
    command: [...(await runtimeCommand('gemini')), '--acp'],
    cwd: workspace,
    env,
    versionField: true,
    onRequest: ({ params }) => ({ outcome: { outcome: 'selected', optionId: allowOnce(params) } }),
  });
  await gemini.call('initialize', { protocolVersion: 1, clientCapabilities: {} });
  return gemini;
}

async function prompt(gemini: JsonRpcProcess, sessionId: string, text: string): Promise<string> {
  const result = await gemini.call('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  return z.object({ stopReason: z.string() }).parse(result).stopReason;
}

const Permission = z.object({ options: z.array(z.object({ optionId: z.string(), kind: z.string() })) });

function allowOnce(params: object): string {
  return Permission.parse(params).options.find(({ kind }) => kind === 'allow_once')?.optionId ?? '';
}

function shell(command: string): string {
  return `[[tool run_shell_command ${JSON.stringify({ command })}]]`;
}

const Chunk = z.object({
  update: z.object({
    sessionUpdate: z.literal('agent_message_chunk'),
    content: z.object({ text: z.string() }),
  }),
});

function agentText({ incoming }: JsonRpcProcess): string {
  return incoming.flatMap(({ params }) => Chunk.safeParse(params).data?.update.content.text ?? []).join('');
}
