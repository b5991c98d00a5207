import { cutText } from '../../protocol/cut-text.js';
import { Failure } from '../../protocol/failure.js';
import type { PermissionMode } from '../../protocol/posture.js';
import { agentFolder } from '../launch-container.js';
import type { Launch } from '../runtime.js';
import { acpAgent } from './agents.js';
import { type Choosing, choosingMode, choosingModel, currentModel, offeredModels } from './choices.js';
import { sessionServers } from './command.js';
import { type AcpConnection, AgentRefusal } from './connection.js';
import type { AcpOpenedSession } from './translate.js';
import { acpErrorKind, loginSentence } from './turn-error.js';
import { WireAgent, WireSessionSetup } from './wire.js';

const protocolVersion = 1;

/** How every conversation begins. Files and commands of the agent are its own business, and asked about; none goes through us. */
export const greeting = {
  protocolVersion,
  clientInfo: { name: 'handraise', title: 'Handraise', version: '1' },
  clientCapabilities: {
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    elicitation: { form: {}, url: {} },
  },
};

/** What an agent and its session turned out to be. */
export interface Opening {
  readonly agent: WireAgent;
  readonly session: WireSessionSetup;
  readonly opened: AcpOpenedSession;
  readonly warnings: readonly string[];
}

/** Begins the conversation with an agent, and a session in it: a new one, or an earlier one without telling it anew. */
export async function openAcpSession(
  name: string,
  launch: Launch,
  connection: AcpConnection,
): Promise<Opening> {
  const agent = WireAgent.parse(await connection.request('initialize', greeting));
  if (agent.protocolVersion !== protocolVersion)
    throw new Failure(
      'unavailable',
      `acp:${name} speaks version ${agent.protocolVersion} of ACP, and only version ${protocolVersion} is spoken here.`,
    );
  const { servers, names, warnings } = sessionServers(launch, agent, acpAgent(name).hidden);
  const params = { cwd: agentFolder(launch), mcpServers: servers, ...metaOf(name, launch) };
  const { session, sessionId } = await openOne({ name, launch, connection, agent, params });
  const mode = modeOf(name, launch.permissionMode, session);
  if (mode) await choose(connection, sessionId, mode);
  if (launch.model !== undefined) await chooseModel({ name, connection, session, sessionId }, launch.model);
  return {
    agent,
    session,
    opened: {
      sessionId,
      model: launch.model ?? currentModel(session),
      permissionMode: launch.permissionMode,
      servers: names,
      isNew: launch.resume === undefined,
      ...(agent.agentInfo?.version === undefined ? {} : { version: agent.agentInfo.version }),
    },
    warnings,
  };
}

interface Place {
  readonly name: string;
  readonly connection: AcpConnection;
  readonly session: WireSessionSetup;
  readonly sessionId: string;
}

/** Changes the model; a Failure says which there are, where the agent refuses it. */
export async function chooseModel(
  { name, connection, session, sessionId }: Place,
  model: string,
): Promise<void> {
  const choosing = choosingModel(session, model);
  if (!choosing)
    throw new Failure('unsupported_by_runtime', `The runtime acp:${name} cannot do this: choose a model.`);
  try {
    await choose(connection, sessionId, choosing);
  } catch (error) {
    if (!(error instanceof AgentRefusal)) throw error;
    const offered = cutText(offeredModels(session).join(', '), 500);
    throw new Failure(
      'invalid',
      `acp:${name} does not take the model ${model} (${cutText(error.message, 200)}).${offered === '' ? '' : ` It offers: ${offered}.`}`,
    );
  }
}

/** How the agent is put into its mode for ours; null where there is nothing to do. */
export function modeOf(name: string, mode: PermissionMode, session: WireSessionSetup): Choosing | null {
  const { modes } = acpAgent(name);
  if (!modes) return null;
  return choosingMode(session, mode === 'bypassPermissions' ? modes.bypassing : modes.asking);
}

export async function choose(
  connection: AcpConnection,
  sessionId: string,
  { method, params }: Choosing,
): Promise<void> {
  await connection.request(method, { sessionId, ...params });
}

function metaOf(name: string, launch: Launch): object {
  const meta = acpAgent(name).sessionMeta?.(launch);
  return meta === undefined ? {} : { _meta: meta };
}

async function openOne(parts: {
  readonly name: string;
  readonly launch: Launch;
  readonly connection: AcpConnection;
  readonly agent: WireAgent;
  readonly params: object;
}): Promise<{ session: WireSessionSetup; sessionId: string }> {
  const { name, launch, connection, agent, params } = parts;
  const { resume } = launch;
  try {
    if (resume === undefined) {
      const session = WireSessionSetup.parse(await connection.request('session/new', params));
      if (session.sessionId === undefined) throw new AgentRefusal('it gave no session', { code: 0 });
      return { session, sessionId: session.sessionId };
    }
    const method = resumeMethod(agent);
    if (method === null)
      throw new Failure(
        'unsupported_by_runtime',
        `acp:${name} cannot take up the session ${resume}: the agent offers neither session/resume nor session/load.`,
      );
    const session = await connection.request(method, { sessionId: resume, ...params });
    return { session: WireSessionSetup.parse(session ?? {}), sessionId: resume };
  } catch (error) {
    if (!(error instanceof AgentRefusal)) throw error;
    if (acpErrorKind(error) === 'auth')
      throw new Failure('no_permission', loginSentence(`acp:${name}`, { agent, detail: error.message }));
    const what = resume === undefined ? 'open a session' : `take up the session ${resume}`;
    throw new Failure('unavailable', `acp:${name} could not ${what}: ${cutText(error.message, 500)}`);
  }
}

/** One that does not repeat what was said, where there is one. */
function resumeMethod({ agentCapabilities: can }: WireAgent): 'session/resume' | 'session/load' | null {
  if (can?.sessionCapabilities?.resume) return 'session/resume';
  return can?.loadSession === true ? 'session/load' : null;
}
