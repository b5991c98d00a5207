import { expect, it } from 'vitest';
import * as z from 'zod';
import { JsonRpcProcess } from '../harness/json-rpc.js';
import { runtimeCommand } from '../harness/runtime-install.js';
import { openStage, type Stage } from '../harness/stage.js';

it('drives codex through two turns with parallel tool calls and a question', async () => {
  await using stage = await openStage('codex');
  await using codex = await startCodex(stage);
  const threadId = await startThread(codex, stage);

  await turn(
    codex,
    threadId,
    `[[think Two at once.]] ${shell('echo one')} ${shell('echo two')} [[next]] [[text Both ran.]]`,
  );
  await turn(codex, threadId, '[[ask Which colour? | Red | Blue]] [[next]] [[text Blue it is.]]');

  const { simulator } = stage;
  expect(
    simulator.modelRequests().map(({ wire, decision, answer }) => [wire, decision?.from, answer?.status]),
  ).toEqual([...Array(4)].map(() => ['responses', 'prompt', 200]));
  expect(simulator.toolResults().map(({ text }) => text)).toEqual([
    expect.stringContaining('one\n'),
    expect.stringContaining('two\n'),
    '{"answers":{"q1":{"answers":["Blue"]}}}',
  ]);
  expect(agentTexts(codex)).toEqual(['Both ran.', 'Blue it is.']);
});

async function startCodex({ workspace, env }: Stage): Promise<JsonRpcProcess> {
  const codex = new JsonRpcProcess({
    command: [...(await runtimeCommand('codex')), 'app-server'],
    cwd: workspace,
    env,
    versionField: false,
    onRequest: ({ method }) => {
      if (method === 'item/tool/requestUserInput') return { answers: { q1: { answers: ['Blue'] } } };
      return { decision: 'accept' };
    },
  });
  await codex.call('initialize', {
    clientInfo: { name: 'handraise-test', title: null, version: '0' },
    capabilities: { experimentalApi: true, requestAttestation: false },
  });
  codex.notify('initialized');
  return codex;
}

async function startThread(codex: JsonRpcProcess, { workspace }: Stage): Promise<string> {
  const started = await codex.call('thread/start', {
    cwd: workspace,
    approvalPolicy: 'never',
    sandbox: 'danger-full-access',
  });
  return z.object({ thread: z.object({ id: z.string() }) }).parse(started).thread.id;
}

async function turn(codex: JsonRpcProcess, threadId: string, text: string): Promise<void> {
  const started = await codex.call('turn/start', {
    threadId,
    input: [{ type: 'text', text, text_elements: [] }],
    // Codex lets the model ask only while it plans.
    collaborationMode: {
      mode: 'plan',
      settings: { model: 'sim', reasoning_effort: null, developer_instructions: null },
    },
  });
  const { id } = z.object({ turn: z.object({ id: z.string() }) }).parse(started).turn;
  await codex.waitFor(
    ({ method, params }) => method === 'turn/completed' && JSON.stringify(params).includes(id),
  );
}

function shell(command: string): string {
  return `[[tool exec_command ${JSON.stringify({ cmd: command })}]]`;
}

const AgentMessage = z.object({ item: z.object({ type: z.literal('agentMessage'), text: z.string() }) });

function agentTexts({ incoming }: JsonRpcProcess): string[] {
  return incoming
    .filter(({ method }) => method === 'item/completed')
    .flatMap(({ params }) => AgentMessage.safeParse(params).data?.item.text ?? []);
}
