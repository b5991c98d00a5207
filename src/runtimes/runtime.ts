import type { Finding } from '../domain/preflight/finding.js';
import type { SavedSession } from '../domain/run/saved-session.js';
import type { SentMessage } from '../domain/run/sent-message.js';
import type { Attachment } from '../protocol/attachment.js';
import type { Command, CommandType } from '../protocol/command.js';
import type { EventBody, EventType } from '../protocol/event.js';
import type {
  McpServer,
  PermissionMode,
  RuntimeName,
  SettingSource,
  ToolPreset,
} from '../protocol/posture.js';
import type { CodeFile } from '../protocol/project-code.js';
import type { AnswersByQuestion, Question } from '../protocol/question.js';
import type { AgentExit } from '../protocol/run.js';
import type { CommentStore } from '../workspace-tools/review-comment.js';
import type { AgentSurroundings } from './agent-surroundings.js';
import type { LaunchContainer } from './launch-container.js';
import type { LivingSessions } from './runtime-observer.js';
import type { RuntimeTerminal } from './runtime-terminal.js';

/** A kind of agent. The runner knows this port and no implementation of it. */
export interface Runtime {
  readonly name: RuntimeName;
  readonly capabilities: Capabilities;
  /** Where this runtime's agent leaves a question when it cannot block. */
  needsInputSentinelPath(launch: Launch): string;
  /** Whether an error text of this runtime means that a login is missing, wrong or expired. */
  speaksOfLogin(text: string): boolean;
  /** Throws a Failure when the launch cannot work, before anything is started. */
  check(launch: Launch): void;
  /** Starts the agent; it stays, and takes one message per turn. */
  open(launch: Launch, host: RuntimeHost): RuntimeSession;
  /** Starts an agent that waits for a launch like this one; left out where none can wait, null where this one cannot. */
  park?(launch: Launch, host: Pick<RuntimeHost, 'marker' | 'log' | 'now'>): Promise<ParkedAgent | null>;
}

/** An agent that was started before there was work for it; disposed of, it leaves no process. */
export interface ParkedAgent extends AsyncDisposable {
  /** Like `Runtime.open`, with this agent where it fits the launch to the letter, and else with a new one. */
  open(launch: Launch, host: RuntimeHost): RuntimeSession;
}

/** The adapter in a package of somebody else's; what it can do stands in its package.json. */
export interface OutsideAdapter
  extends Pick<Runtime, 'open'>,
    Partial<Pick<Runtime, 'check' | 'speaksOfLogin'>> {}

/** What a worker knows of a runtime without loading it. */
export interface RuntimeProfile extends Pick<Runtime, 'name' | 'capabilities'> {
  /** The command line that the user's settings, or we, have for it; left out where there is none, or work names it. */
  readonly command?: string;
  /** It chooses its model by itself, and refuses another one. */
  readonly hasFixedModel?: true;
  /** Throws a Failure when such a launch cannot work here. */
  check(launch: CheckedLaunch): void;
  /** Whether it is installed here, and in which version. */
  installed(place: {
    readonly env: Readonly<Record<string, string>>;
    /** The folder of what npm installed under this name, as a module in another folder would find it; null where it is not there. */
    readonly packageFolder: (name: string, from?: string) => string | null;
  }): Installed;
  /** What can be seen to be wrong before it is started, from variables and a few files. */
  readonly preflight?: (launch: PreflightLaunch) => readonly Finding[];
  /** The server of its model, as far as that is known; a proxy may stand in between. */
  readonly modelUrl?: (env: Readonly<Record<string, string>>) => string;
  /** What its program says of itself, where a process may be started to find out. */
  readonly probe?: RuntimeProbe;
  /** What was saved of a session whose process is gone: null when nothing was, undefined, or left out, where nobody can tell. */
  readonly savedSession?: (place: EndedSessionPlace) => Promise<SavedSession | null | undefined>;
  /** Its own program, in which a person can take a session over; left out where it has none that we know. */
  readonly terminal?: RuntimeTerminal;
  /** What people have open in that program now; left out where nobody can tell. */
  readonly livingSessions?: LivingSessions;
}

/** What an adapter may look at before its agent is started in a folder. */
export interface PreflightLaunch
  extends AgentSurroundings,
    Pick<Launch, 'cwd' | 'permissionMode' | 'settingSources' | 'mcpServers'> {
  /** What of the project's own code was approved. */
  readonly projectFiles: readonly CodeFile[];
  /** Whether `projectFiles` was looked up, so that what is missing in it is not approved. */
  readonly isProjectKnown: boolean;
}

/** A question to a runtime's own program that takes no model and no network. */
export interface RuntimeProbe {
  readonly args: readonly string[];
  /** What follows from its exit code and from what it printed. */
  readonly read: (said: { readonly code: number | null; readonly text: string }) => readonly Finding[];
}

/** Whether a runtime is there; where it is not, a sentence says what is missing and what to do. */
export type Installed =
  | {
      readonly found: true;
      readonly version?: string;
      /** What tells its version when it is started with `--version`, where nothing else does. */
      readonly program?: string;
    }
  | { readonly found: false; readonly missing: string };

/** What of a launch can be checked before its workspace is known. */
export type CheckedLaunch = Pick<
  Launch,
  | 'permissionMode'
  | 'env'
  | 'fork'
  | 'resume'
  | 'command'
  | 'model'
  | 'fallbackModel'
  | 'betas'
  | 'mcpServers'
  | 'container'
>;

/** What a runtime can do, as data; the runner refuses the rest by name instead of trying. */
export interface Capabilities {
  readonly commands: readonly CommandType[];
  readonly permissionModes: readonly PermissionMode[];
  readonly toolPresets: readonly ToolPreset[];
  readonly limits: readonly (keyof Limits)[];
  readonly resume: boolean;
  readonly fork: boolean;
  readonly questions: boolean;
  readonly approvals: boolean;
  /** It proposes a plan and waits until somebody has approved it. */
  readonly plans: boolean;
  readonly editedInput: boolean;
  readonly denyWithMessage: boolean;
  readonly checkpoints: boolean;
  readonly structuredOutput: boolean;
  /** What it can let go of and take up again in a later life of the session, call and all. */
  readonly defers: readonly AskKind[];
}

/** Everything one run is launched with. */
export interface Launch {
  readonly cwd: string;
  readonly conversationId: string;
  /** The program of a runtime that is any program, as typed. */
  readonly command?: string;
  readonly resume?: string;
  /** Tools whose server asked inside of a call and did not wait until somebody answered. */
  readonly impatientTools?: readonly string[];
  readonly fork: boolean;
  readonly permissionMode: PermissionMode;
  readonly toolPreset: ToolPreset;
  readonly model?: string;
  readonly fallbackModel?: string;
  readonly instructions?: string;
  readonly structuredOutput?: Record<string, unknown>;
  readonly limits: Limits;
  readonly checkpointing: boolean;
  readonly settingSources: readonly SettingSource[];
  /** Which of the project's own files that could start a program count: those in the workspace, or approved bytes. */
  readonly projectCode: 'workspace' | ApprovedCode;
  readonly mcpServers: Readonly<Record<string, McpServer>>;
  readonly betas: readonly string[];
  /** The older runner whose clients are served. */
  readonly compat?: 'chatml';
  /** Whether a worker started this run. */
  readonly isUnderWorker?: boolean;
  readonly linearIssue?: string;
  readonly targetBranch?: string;
  /** A command's exit code is its claim. */
  readonly readsExitCodes?: boolean;
  /** What a command does is guessed from what it prints; after so much silence it counts as idle. */
  readonly observableIdleSeconds?: number;
  readonly debug: boolean;
  readonly debugFile?: string;
  readonly env: Readonly<Record<string, string>>;
  /** The container that the agent works in; where there is none, it is a process like any other. */
  readonly container?: LaunchContainer;
  /** Where this installation keeps state of its own, for example checkpoints. */
  readonly stateDir: string;
}

/** What a person approved of a project's own code; what lies in the workspace does not count then. */
export interface ApprovedCode {
  readonly files: readonly CodeFile[];
  /** Where an adapter may put them for its agent to read. */
  readonly folder?: string;
}

export interface Limits {
  readonly maxBudgetUsd?: number;
  readonly maxTurns?: number;
  readonly maxThinkingTokens?: number;
}

/** What the runner gives an adapter: a place for facts, a person to ask, and the world's inputs. */
export interface RuntimeHost {
  readonly emit: (fact: RuntimeFact) => void;
  readonly ask: <Kind extends AskKind>(
    kind: Kind,
    request: Asks[Kind]['request'],
    signal: AbortSignal,
  ) => Promise<Asks[Kind]['reply'] | Unanswered>;
  /** A promise while the agent has to be held back because its events have no room, else undefined. */
  readonly whenWritable: () => Promise<void> | undefined;
  /** What every process of this run carries in its environment, so that strays are found. */
  readonly marker: { readonly name: string; readonly value: string };
  /** One line for a person who debugs; never protocol. */
  readonly log: (line: string) => void;
  readonly now: () => number;
  readonly newUuid: () => string;
  /** Where the agent's review comments are kept; missing where no worker keeps them. */
  readonly comments?: CommentStore | undefined;
}

/** What happened, in our words; the runner adds text buffering, statistics, time and number. */
export type RuntimeFact = EventBody<Exclude<EventType, RunnerMade>> | TurnStarted | TurnEnded | TextAbandoned;

type RunnerMade =
  | 'ready'
  | 'assistant_text'
  | 'result'
  | 'turn_complete'
  | 'complete'
  | 'user_question_request'
  | 'plan_approval_request'
  | 'permission_request'
  | 'request_withdrawn'
  | 'needs_input'
  | 'interrupted'
  | 'json_parse_error'
  | 'shutdown';

export interface TurnStarted {
  readonly type: 'turn_started';
  readonly origin: EventBody<'result'>['origin'];
}

/** The answer broke off and begins anew; so many characters at its end do not count. */
export interface TextAbandoned {
  readonly type: 'text_abandoned';
  readonly length: number;
}

export interface TurnEnded {
  readonly type: 'turn_ended';
  readonly sessionId: string;
  readonly interrupted: boolean;
  /** What the runtime says of it besides, for parents of an older runner. */
  readonly told?: { readonly stopReason?: string; readonly modelUsage?: Record<string, unknown> };
  /** The turn let go of a call that a later life of the session takes up. */
  readonly deferred?: true;
  readonly result: Omit<EventBody<'result'>, 'type' | 'stats'>;
}

/** One turn's input. */
export interface TurnInput {
  readonly uuid: string;
  readonly content: string;
  readonly attachments: readonly Attachment[];
}

/** A running agent. */
export interface RuntimeSession extends AsyncDisposable {
  /** Begins a turn; called only while no turn of a message is running. */
  begin(turn: TurnInput): void;
  /** Cancels the running turn; the agent stays usable. */
  interrupt(): Promise<void>;
  /** Carries out one of the commands named in `capabilities.commands`. */
  control(command: ControlCommand): Promise<RuntimeFact | null>;
  /** No more input: the running turn may finish, then the agent ends. */
  end(): void;
  readonly exited: Promise<RuntimeExit>;
}

/** How the agent's process ended, and whether a question was left behind. */
export interface RuntimeExit extends AgentExit {
  readonly needsInputSentinelPath?: string;
  /** Set when the agent could not be started or ended for a reason that it told. */
  readonly error?: string;
}

export type ControlCommand = Command<
  | 'set_model'
  | 'set_permission_mode'
  | 'set_max_thinking_tokens'
  | 'get_supported_models'
  | 'get_supported_commands'
  | 'get_mcp_status'
  | 'get_account_info'
  | 'rewind_files'
  | 'reconnect_mcp_server'
  | 'toggle_mcp_server'
>;

/** What an agent can ask of a person, and what comes back. */
export interface Asks {
  question: {
    request: {
      readonly questions: Question[];
      readonly toolUseId: string;
      readonly agentId?: string;
      /** Until when an MCP server that asks is expected to wait. */
      readonly waitsUntil?: string;
    };
    /** `declined`: a person refuses to answer, which only what an MCP server asks can be. */
    reply: { readonly answered: true; readonly answers: AnswersByQuestion; readonly declined?: boolean };
  };
  plan: {
    request: { readonly planContent: string; readonly toolUseId: string };
    reply: { readonly answered: true; readonly approved: boolean; readonly reason?: string };
  };
  permission: {
    request: {
      readonly tool: string;
      readonly input: Record<string, unknown>;
      readonly toolUseId: string;
      readonly agentId?: string;
      readonly reason?: string;
      readonly suggestions?: unknown[];
      /** The MCP server that asks, where it is no action of the agent. */
      readonly server?: string;
      readonly serverTool?: string;
      readonly waitsUntil?: string;
      /** No policy may decide it, and no approval that was given before. */
      readonly onlyPerson?: boolean;
      /** The call is held before it begins, so that a runtime that defers questions can let go of it too. */
      readonly isHeldBefore?: boolean;
    };
    reply: {
      readonly answered: true;
      readonly approved: boolean;
      readonly scope: 'once' | 'thread';
      readonly updatedInput?: Record<string, unknown>;
      readonly message?: string;
    };
  };
}

export type AskKind = keyof Asks;

/** Nobody answered; the agent must hear it in these words, not as a refusal by a person. */
export interface Unanswered {
  readonly answered: false;
  readonly why: string;
  /** A person has closed the question without an answer. */
  readonly byPerson?: boolean;
  /** The agent lets go of the call without a result; the next life of the session takes it up again. */
  readonly parked?: true;
}

/** An adapter withdraws a request whose turn goes on, because nobody waits for the answer any more. */
export class RequestWithdrawn extends Error {
  override readonly name = 'RequestWithdrawn';
  /** `superseded`: the agent has settled it without an answer. */
  readonly reason: 'server_gave_up' | 'superseded';

  constructor(reason: RequestWithdrawn['reason']) {
    super(`The request was withdrawn: ${reason}.`);
    this.reason = reason;
  }
}

/** Where the session of a run that has ended lies. */
export interface SavedSessionPlace {
  readonly sessionId: string;
  readonly env: Readonly<Record<string, string>>;
  /** The value of the marker that the run's processes carried. */
  readonly run: string;
}

/** The same, with what is needed to have an agent tell it. */
export interface EndedSessionPlace extends SavedSessionPlace {
  readonly cwd: string;
  /** Everything that its thread has told agents, the oldest first. */
  readonly messages: () => Promise<readonly SentMessage[]>;
}
