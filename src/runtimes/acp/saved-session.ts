import { randomUUID } from 'node:crypto';
import type { SavedSession } from '../../domain/run/saved-session.js';
import { readLines } from '../../process/children/read-lines.js';
import { ownIdentity } from '../../process/families/own-identity.js';
import { runMarker } from '../../process/families/run-marker.js';
import { AgentProcess } from '../agent-process.js';
import type { EndedSessionPlace } from '../runtime.js';
import { acpAgent } from './agents.js';
import { acpCommand, acpEnv, expectOnlyApproved } from './command.js';
import { AcpConnection, AgentRefusal } from './connection.js';
import { greeting } from './opening.js';
import { cancelled } from './permission-option.js';
import { Replay } from './replay.js';
import { WireAgent } from './wire.js';

const loadingMs = 60_000;
const mostTries = 3;
const maxLine = 64 * 2 ** 20;
const graceMs = { stdin: 1000, sigterm: 1000 };
// ACP's word for a session that the agent does not have.
const notFound = -32_002;

type LoadingPlace = EndedSessionPlace & { readonly command: string | undefined };

/**
 * What an agent has saved of a session, as it tells it when it loads the session: it is started once more for that, asked
 * for nothing else, and ended. Null when it has no such session; undefined where it cannot load one, or does not in time.
 */
export async function readAcpSession(
  name: string,
  { command, ...place }: LoadingPlace,
): Promise<SavedSession | null | undefined> {
  const [replay, sent, own] = await Promise.all([
    replayed(name, { command, ...place }),
    place.messages(),
    acpAgent(name).savedResults?.(place),
  ]);
  if (!replay) return replay;
  return {
    hasResult: (toolUseId) => replay.hasResult(toolUseId) || own?.hasResult(toolUseId) === true,
    isCutOff: (toolUseId) => own?.isCutOff?.(toolUseId) === true,
    hasWords: (toolUseId, words) => replay.hasWords(toolUseId, words, sent),
    hasSilence: (toolUseId) => replay.hasSilence(toolUseId, sent),
    hasMessage: (uuid) => replay.hasMessage(uuid, sent),
  };
}

/** Whatever killed the agent may kill it once more while it tells; that says nothing of its session. */
async function replayed(name: string, place: LoadingPlace): Promise<Replay | null | undefined> {
  for (let tries = 1; ; tries += 1) {
    const told = await replayOf(name, place);
    if (told !== 'died') return told;
    if (tries === mostTries) return undefined;
  }
}

async function replayOf(
  name: string,
  { command, cwd, env, sessionId }: LoadingPlace,
): Promise<Replay | 'died' | null | undefined> {
  // Whatever a person has approved for the agent's work, nothing of the project is needed to look at a session.
  const launch = { cwd, env, projectCode: { files: [] } };
  const marker = { name: 'HANDRAISE_LOADING', value: randomUUID() };
  // Runners end what runs have left that are gone, so this one counts as a process of ours, which lives.
  const { name: ours, value } = runMarker(ownIdentity());
  const process = new AgentProcess(null, { marker, log: ignore, emit: ignore });
  try {
    expectOnlyApproved(name, launch);
    const child = process.start({
      ...acpCommand(name, command === undefined ? {} : { command }),
      cwd,
      env: acpEnv(name, launch, { [marker.name]: marker.value, [ours]: value }),
    });
    const replay = new Replay(sessionId);
    const connection = new AcpConnection(child.stdin, {
      updated: (params) => replay.take(params),
      permission: async () => ({ outcome: cancelled }),
      elicitation: async () => ({ action: 'cancel' }),
      strange: () => {},
    });
    const died = hear(child.stdout, connection);
    // Nobody may be waiting for it when the agent is ended.
    died.catch(() => connection.close('The agent is gone.'));
    const late = setTimeout(() => connection.close('It took too long.'), loadingMs);
    const ask = async (method: string, params: object) =>
      await Promise.race([connection.request(method, params), died]);
    try {
      const agent = WireAgent.parse(await ask('initialize', greeting));
      if (agent.agentCapabilities?.loadSession !== true) return undefined;
      const meta = acpAgent(name).sessionMeta?.(launch);
      await ask('session/load', {
        sessionId,
        cwd,
        mcpServers: [],
        ...(meta === undefined ? {} : { _meta: meta }),
      });
      return replay.isEmpty ? null : replay;
    } finally {
      clearTimeout(late);
    }
  } catch (error) {
    if (error instanceof AgentDied) return 'died';
    return error instanceof AgentRefusal && error.code === notFound ? null : undefined;
  } finally {
    await process.end(graceMs);
  }
}

class AgentDied extends Error {
  override readonly name = 'AgentDied';
}

/** Hears it until it is gone, and throws then. */
async function hear(stdout: Parameters<typeof readLines>[0], connection: AcpConnection): Promise<never> {
  try {
    for await (const line of readLines(stdout, { maxBytes: maxLine }))
      if (line.kind === 'line') connection.take(line.text);
  } catch {
    // It was ended.
  }
  throw new AgentDied('The agent is gone.');
}

function ignore(): void {}
