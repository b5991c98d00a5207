import type { HookJSONOutput, PermissionResult } from '@anthropic-ai/claude-agent-sdk';
import { given } from '../../protocol/given.js';
import type { Launch, RuntimeHost, Unanswered } from '../runtime.js';
import { isSentinelWrite } from '../sentinel-write.js';
import { ThreadGrants } from '../thread-grants.js';
import type { ToolLedger } from '../tool-ledger.js';
import type { CutOffCalls } from './cut-off-calls.js';
import type { ImpatientTools } from './impatient-tools.js';
import { claudeQuestions } from './questions.js';
import type { PresetRule } from './tool-preset.js';
import type { ToolHook } from './wire.js';

type Input = Record<string, unknown>;

export interface ClaudeGatekeeperParts {
  readonly launch: Launch;
  readonly preset: PresetRule;
  readonly host: Pick<RuntimeHost, 'ask'>;
  /** The calls as the model made them. */
  readonly calls: Pick<ToolLedger, 'find'>;
  readonly repeats: Repeats;
  readonly impatient: Pick<ImpatientTools, 'has'>;
  /** Whether a tool asks a person before it does anything; nobody is asked about its call besides. */
  readonly asksItself: (tool: string) => boolean;
}

/** Decides about tool calls: by preset, by the rule for the needs-input file, and else by asking a person. */
export class ClaudeGatekeeper {
  readonly #launch: Launch;
  readonly #preset: PresetRule;
  readonly #host: Pick<RuntimeHost, 'ask'>;
  readonly #calls: Pick<ToolLedger, 'find'>;
  readonly #repeats: Repeats;
  readonly #impatient: Pick<ImpatientTools, 'has'>;
  readonly #asksItself: (tool: string) => boolean;
  readonly #grants = new ThreadGrants();
  readonly #deferred = new Set<string>();
  /** What was decided about each call by which the agent asks, or is being decided. */
  readonly #asked = new Map<string, Promise<Heard>>();

  constructor({ launch, preset, host, calls, repeats, impatient, asksItself }: ClaudeGatekeeperParts) {
    this.#launch = launch;
    this.#preset = preset;
    this.#host = host;
    this.#calls = calls;
    this.#repeats = repeats;
    this.#impatient = impatient;
    this.#asksItself = asksItself;
  }

  /** Whether a call was let go here, to be taken up by the session's next process. */
  hasDeferred(toolUseId: string): boolean {
    return this.#deferred.has(toolUseId);
  }

  /** The hook before every tool: it holds questions and plans, and enforces the preset on sub-agents too. */
  async beforeTool(hook: ToolHook, signal: AbortSignal): Promise<HookJSONOutput> {
    switch (hook.tool_name) {
      case 'AskUserQuestion':
        return await this.#question(callOf(hook), signal);
      case 'ExitPlanMode':
        return await this.#plan(callOf(hook), signal);
      default: {
        const rule = this.#rule(hook.tool_name, hook.tool_input);
        const isDenied = isDecided(rule) && rule.hookSpecificOutput.permissionDecision === 'deny';
        return isDenied ? rule : ((await this.#confirmed(hook.tool_name, callOf(hook), signal)) ?? rule);
      }
    }
  }

  /** Called by the runtime in the modes that ask. */
  async permission(
    tool: string,
    input: Input,
    call: { signal: AbortSignal; toolUseID: string; agentID?: string; suggestions?: unknown[] },
  ): Promise<PermissionResult> {
    // In plan mode a hook's allow is not enough (measured); the person is still asked, so the rule stands here too.
    if (tool === 'Write' && isSentinelWrite(this.#launch, input['file_path']))
      return { behavior: 'allow', updatedInput: input };
    if (this.#asksItself(tool)) return { behavior: 'allow', updatedInput: input };
    const asked = { input, toolUseId: call.toolUseID, ...given({ agentId: call.agentID }) };
    // A session that is resumed with a deferred call may ask for its permission besides calling the hook, or before it
    // (seen); the question is a question all the same, and is asked once.
    if (tool === 'AskUserQuestion') return permissionBy(await this.#question(asked, call.signal), input);
    if (tool === 'ExitPlanMode') return permissionBy(await this.#plan(asked, call.signal), input);
    const confirmed = await this.#confirmed(tool, asked, call.signal);
    if (confirmed) return permissionBy(confirmed, input);
    if (this.#grants.allows({ tool, input })) return { behavior: 'allow', updatedInput: input };
    const reply = await this.#host.ask(
      'permission',
      {
        tool,
        input,
        toolUseId: call.toolUseID,
        ...given({ agentId: call.agentID, suggestions: call.suggestions }),
      },
      call.signal,
    );
    if (!reply.answered) return { behavior: 'deny', message: nobody(reply.why) };
    if (!reply.approved)
      return { behavior: 'deny', message: reply.message ?? 'The user denied this action.' };
    const updatedInput = reply.updatedInput ?? input;
    // The rules that the runtime proposes cover more than what was shown (a prefix, a whole tool); none is passed back.
    if (reply.scope === 'thread') this.#grants.grant({ tool, input: updatedInput });
    return { behavior: 'allow', updatedInput };
  }

  /** A person decides about a call that nobody else may let through, whatever the mode; null for any other call. */
  async #confirmed(tool: string, call: AskingCall, signal: AbortSignal): Promise<Decided | null> {
    const reason = await this.#reasonToConfirm(tool, call.input);
    if (reason === undefined && !this.#asked.has(call.toolUseId)) return null;
    return await this.#confirm(tool, call, { signal, ...given({ reason }) });
  }

  async #confirm(
    tool: string,
    { input, toolUseId, agentId }: AskingCall,
    { signal, reason }: { readonly signal: AbortSignal; readonly reason?: string },
  ): Promise<Decided> {
    return await this.#once(toolUseId, signal, async () => {
      const asked = { tool, input, toolUseId, onlyPerson: true, isHeldBefore: true };
      const reply = await this.#host.ask('permission', { ...asked, ...given({ reason, agentId }) }, signal);
      if (!reply.answered) return unanswered(reply);
      await this.#repeats.cutOff.forget({ tool, input });
      return heard(
        reply.approved
          ? decision('allow', 'A person lets the call be made.', reply.updatedInput ?? input)
          : decision('deny', reply.message ?? 'The user does not want this call to be made.'),
      );
    });
  }

  async #reasonToConfirm(tool: string, input: Input): Promise<string | undefined> {
    if (this.#asksItself(tool)) return undefined;
    if ((await this.#repeats.cutOff.has({ tool, input })) && !(await this.#repeats.isReadOnly(tool)))
      return cutOffReason;
    return this.#impatient.has(tool) ? impatientReason : undefined;
  }

  #rule(tool: string, input: Input): HookJSONOutput {
    if (!this.#preset.allows(tool)) return decision('deny', this.#preset.refusal(tool));
    if (tool !== 'Write') return {};
    if (isSentinelWrite(this.#launch, input['file_path']))
      return decision('allow', 'This file asks the person a question.');
    if (this.#preset.writesFiles) return {};
    return decision('deny', `${this.#preset.refusal('Write')} Only .agora/needs_input.json may be written.`);
  }

  async #question(call: AskingCall, signal: AbortSignal): Promise<Decided> {
    return await this.#once(call.toolUseId, signal, async () => await this.#askQuestion(call, signal));
  }

  async #plan(call: AskingCall, signal: AbortSignal): Promise<Decided> {
    return await this.#once(call.toolUseId, signal, async () => await this.#askPlan(call, signal));
  }

  /** A call that comes a second time gets what the first was told; one that was told nothing is asked again. */
  async #once(toolUseId: string, signal: AbortSignal, ask: () => Promise<Heard>): Promise<Decided> {
    for (let known = this.#asked.get(toolUseId); known; known = this.#asked.get(toolUseId)) {
      const { isAnswered, decided } = await known;
      if (isAnswered || signal.aborted) return decided;
      if (this.#asked.get(toolUseId) === known) this.#asked.delete(toolUseId);
    }
    const asking = ask();
    this.#asked.set(toolUseId, asking);
    const { decided } = await asking;
    if (decided.hookSpecificOutput.permissionDecision === 'defer') this.#deferred.add(toolUseId);
    return decided;
  }

  async #askQuestion({ input, ...call }: AskingCall, signal: AbortSignal): Promise<Heard> {
    const questions = claudeQuestions(input);
    if (questions.length === 0)
      return heard(decision('deny', 'The call holds no question that can be read.'));
    const reply = await this.#host.ask('question', { questions, ...call }, signal);
    if (!reply.answered) return unanswered(reply);
    return heard(decision('allow', 'Answered by a person.', { ...input, answers: reply.answers }));
  }

  async #askPlan({ input, toolUseId }: AskingCall, signal: AbortSignal): Promise<Heard> {
    // The plan is what stands in the runtime's plan file. Where there is no file the hook gets `{}` (measured), and the
    // plan that the model put into its call is only in its message.
    const plan = input['plan'] ?? this.#calls.find(toolUseId)?.input['plan'];
    const planContent = typeof plan === 'string' ? plan : '';
    const reply = await this.#host.ask('plan', { planContent, toolUseId }, signal);
    if (!reply.answered) return unanswered(reply);
    if (reply.approved) return heard(decision('allow', 'The person approved the plan.', input));
    const why = `The person did not approve the plan${reply.reason ? `: ${reply.reason}` : '.'}`;
    return heard(decision('deny', why));
  }
}

/** What is known of calls that an earlier process did not live to see the end of. */
interface Repeats {
  readonly cutOff: Pick<CutOffCalls, 'has' | 'forget'>;
  /** Whether the server says of its tool that it changes nothing. */
  readonly isReadOnly: (tool: string) => Promise<boolean>;
}

const cutOffReason =
  'This call was made before and was cut off, because its process ended. What it had done by then is unknown; made again, it may do it twice.';

const impatientReason =
  'While this tool runs, its server asks a person something and waits about a minute for the answer. Approve when you are there: its question comes next.';

/** A call by which the agent asks a person. */
interface AskingCall {
  readonly input: Input;
  readonly toolUseId: string;
  readonly agentId?: string;
}

function callOf({ tool_input, tool_use_id, agent_id }: ToolHook): AskingCall {
  return { input: tool_input, toolUseId: tool_use_id, ...given({ agentId: agent_id }) };
}

/** What was decided, where the runtime asks for a permission instead of calling the hook. */
function permissionBy({ hookSpecificOutput: decided }: Decided, input: Input): PermissionResult {
  const { permissionDecision, permissionDecisionReason: message, updatedInput = input } = decided;
  if (permissionDecision === 'allow') return { behavior: 'allow', updatedInput };
  // Nothing can be deferred here; the turn is stopped, and the answer comes as a message.
  return { behavior: 'deny', message, interrupt: permissionDecision === 'defer' };
}

/** What came of asking. */
interface Heard {
  readonly isAnswered: boolean;
  readonly decided: Decided;
}

function heard(decided: Decided): Heard {
  return { isAnswered: true, decided };
}

function unanswered({ why, parked }: Unanswered): Heard {
  const decided = parked ? decision('defer', why) : decision('deny', nobody(why));
  return { isAnswered: false, decided };
}

function nobody(why: string): string {
  return `Nobody answered: ${why} Do not take this for a refusal or for consent.`;
}

function isDecided(output: HookJSONOutput): output is HookJSONOutput & Decided {
  return 'hookSpecificOutput' in output && output.hookSpecificOutput?.hookEventName === 'PreToolUse';
}

interface Decided {
  readonly hookSpecificOutput: {
    readonly hookEventName: 'PreToolUse';
    readonly permissionDecision: 'allow' | 'deny' | 'defer';
    readonly permissionDecisionReason: string;
    readonly updatedInput?: Input;
  };
}

function decision(
  permissionDecision: 'allow' | 'deny' | 'defer',
  permissionDecisionReason: string,
  updatedInput?: Input,
): Decided {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision,
      permissionDecisionReason,
      ...(updatedInput ? { updatedInput } : {}),
    },
  };
}
