import { readFileSync } from 'node:fs';
import { codexArgs } from '../../../src/runtimes/codex/command.js';
import { rightsOf } from '../../../src/runtimes/codex/posture.js';
import { WireOpened, WireTurnStarted } from '../../../src/runtimes/codex/wire.js';
import { JsonRpcProcess } from '../../harness/json-rpc.js';
import type { Stage } from '../../harness/stage.js';
import { openCodexStage } from './codex-driver.js';

/** One thing that Codex said, or that it was told, in the order in which a session sees it. */
export type Line =
  | { readonly kind: 'opened'; readonly raw: unknown }
  | { readonly kind: 'begin'; readonly uuid: string }
  | { readonly kind: 'said'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'gone' };

/** What is played to be recorded. */
export interface Scenario {
  readonly prompts: readonly string[];
  readonly mode?: 'default' | 'plan';
  /** Interrupts each turn as soon as this was said. */
  readonly interruptAt?: string;
}

export function readTranscript(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** Plays a scenario with the real Codex and gives everything that it said, with nothing of this machine. */
export async function record({ prompts, mode = 'default', interruptAt }: Scenario): Promise<Line[]> {
  await using stage = await openCodexStage();
  await using codex = new JsonRpcProcess({
    command: [stage.env['HANDRAISE_CODEX'] ?? '', ...codexArgs({ name: 'MARK', value: '1' })],
    cwd: stage.workspace,
    env: stage.env,
    versionField: false,
    onRequest: ({ method }) =>
      method === 'item/tool/requestUserInput'
        ? { answers: { q1: { answers: ['Blue'] } } }
        : { decision: method.includes('fileChange') ? 'accept' : 'decline' },
  });
  await codex.call('initialize', {
    clientInfo: { name: 'handraise', title: null, version: '1' },
    capabilities: { experimentalApi: true, requestAttestation: false },
  });
  codex.notify('initialized');
  const policy = rightsOf('default', { toolPreset: 'full' });
  const raw = await codex.call('thread/start', { cwd: stage.workspace, ...policy });
  const { thread, model } = WireOpened.parse(raw);
  const lines: Line[] = [{ kind: 'opened', raw }];
  let heard = codex.incoming.length;
  for (const [index, text] of prompts.entries()) {
    lines.push({ kind: 'begin', uuid: `00000000-0000-4000-9000-${String(index).padStart(12, '0')}` });
    const started = await codex.call('turn/start', {
      threadId: thread.id,
      input: [{ type: 'text', text, text_elements: [] }],
      collaborationMode: {
        mode,
        settings: { model, reasoning_effort: null, developer_instructions: null },
      },
    });
    const { id } = WireTurnStarted.parse(started).turn;
    if (interruptAt !== undefined) {
      await codex.waitFor(({ method }) => method === interruptAt);
      await codex.call('turn/interrupt', { threadId: thread.id, turnId: id });
    }
    await codex.waitFor(
      ({ method, params }) => method === 'turn/completed' && JSON.stringify(params).includes(id),
    );
    lines.push(...codex.incoming.slice(heard).map((said): Line => ({ kind: 'said', ...said })));
    heard = codex.incoming.length;
  }
  return [...anonymous(lines, stage), { kind: 'gone' }];
}

/** The lines without this machine's paths, and with ids by first appearance. */
function anonymous(lines: readonly Line[], stage: Stage): Line[] {
  const ids = new Map<string, string>();
  const numbered = (id: string) => {
    const known = ids.get(id) ?? `00000000-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  const text = lines
    .map((line) => JSON.stringify(line))
    .join('\n')
    .replaceAll(stage.home, '/home/tester')
    .replaceAll(new URL(stage.simulator.url).host, '127.0.0.1:4010')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) =>
      id.startsWith('00000000') ? id : numbered(id),
    )
    .replaceAll(/(call|msg)_sim[0-9a-f]{6}(\d{5})/g, '$1_sim$2')
    .replaceAll(/"serverName":"[^"]*"/g, '"serverName":"machine"');
  return text.split('\n').map((line) => JSON.parse(line) as Line);
}
