import type { HookJSONOutput, PermissionResult } from '@anthropic-ai/claude-agent-sdk/core';
import type { Launch, RuntimeHost, Unanswered } from '../runtime.js';
import { isSentinelWrite } from '../sentinel-write.js';
import { questionsOf } from './questions.js';
import { ThreadGrants } from './thread-grants.js';
import type { PresetRule } from './tool-preset.js';
import type { ToolHook } from './wire.js';

type Input = Record<string, unknown>;

/** Decides about tool calls: by preset, by the rule for the needs-input file, and else by asking a person. */
export class Gatekeeper {
  readonly #launch: Launch;
  readonly #preset: PresetRule;
  readonly #host: Pick<RuntimeHost, 'ask'>;
  readonly #grants = new ThreadGrants();

  constructor(launch: Launch, preset: PresetRule, host: Pick<RuntimeHost, 'ask'>) {
    this.#launch = launch;
    this.#preset = preset;
    this.#host = host;
  }

  /** The hook before every tool: it holds questions and plans, and enforces the preset on sub-agents too. */
  async beforeTool(hook: ToolHook, signal: AbortSignal): Promise<HookJSONOutput> {
    switch (hook.tool_name) {
      case 'AskUserQuestion':
        return await this.#question(hook, signal);
      case 'ExitPlanMode':
        return await this.#plan(hook, signal);
      default:
        return this.#rule(hook.tool_name, hook.tool_input);
    }
  }

  /** Called by the runtime in the modes that ask. */
  async permission(
    tool: string,
    input: Input,
    call: { signal: AbortSignal; toolUseID: string; agentID?: string; suggestions?: unknown[] },
  ): Promise<PermissionResult> {
    // In plan mode a hook's allow is not enough (measured); the person is still asked, so the rule stands here too.
    if (tool === 'Write' && isSentinelWrite(this.#launch.cwd, input['file_path']))
      return { behavior: 'allow', updatedInput: input };
    if (this.#grants.allows(tool, input)) return { behavior: 'allow', updatedInput: input };
    const reply = await this.#host.ask(
      'permission',
      {
        tool,
        input,
        toolUseId: call.toolUseID,
        ...(call.agentID === undefined ? {} : { agentId: call.agentID }),
        ...(call.suggestions === undefined ? {} : { suggestions: call.suggestions }),
      },
      call.signal,
    );
    if (!reply.answered) return { behavior: 'deny', message: nobody(reply.why) };
    if (!reply.approved)
      return { behavior: 'deny', message: reply.message ?? 'The user denied this action.' };
    const updatedInput = reply.updatedInput ?? input;
    if (reply.scope === 'once') return { behavior: 'allow', updatedInput };
    const updatedPermissions = this.#grants.grant(tool, updatedInput, call.suggestions ?? []);
    return { behavior: 'allow', updatedInput, updatedPermissions };
  }

  #rule(tool: string, input: Input): HookJSONOutput {
    if (!this.#preset.allows(tool)) return decision('deny', this.#preset.refusal(tool));
    if (tool !== 'Write') return {};
    if (isSentinelWrite(this.#launch.cwd, input['file_path']))
      return decision('allow', 'This file asks the person a question.');
    if (this.#preset.writesFiles) return {};
    return decision('deny', `${this.#preset.refusal('Write')} Only .agora/needs_input.json may be written.`);
  }

  async #question(hook: ToolHook, signal: AbortSignal): Promise<HookJSONOutput> {
    const questions = questionsOf(hook.tool_input);
    if (questions.length === 0) return decision('deny', 'The call holds no question that can be read.');
    const reply = await this.#host.ask(
      'question',
      {
        questions,
        toolUseId: hook.tool_use_id,
        ...(hook.agent_id === undefined ? {} : { agentId: hook.agent_id }),
      },
      signal,
    );
    if (!reply.answered) return unanswered(reply);
    return decision('allow', 'Answered by a person.', { ...hook.tool_input, answers: reply.answers });
  }

  async #plan(hook: ToolHook, signal: AbortSignal): Promise<HookJSONOutput> {
    // The plan is what stands in the runtime's plan file; what the model put into the call is dropped by it.
    const { plan } = hook.tool_input;
    const reply = await this.#host.ask(
      'plan',
      { planContent: typeof plan === 'string' ? plan : '', toolUseId: hook.tool_use_id },
      signal,
    );
    if (!reply.answered) return unanswered(reply);
    if (reply.approved) return decision('allow', 'The person approved the plan.', hook.tool_input);
    return decision('deny', `The person did not approve the plan${reply.reason ? `: ${reply.reason}` : '.'}`);
  }
}

function unanswered({ why, parked }: Unanswered): HookJSONOutput {
  return parked ? decision('defer', why) : decision('deny', nobody(why));
}

function nobody(why: string): string {
  return `Nobody answered: ${why} Do not take this for a refusal or for consent.`;
}

function decision(
  permissionDecision: 'allow' | 'deny' | 'defer',
  permissionDecisionReason: string,
  updatedInput?: Input,
): HookJSONOutput {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision,
      permissionDecisionReason,
      ...(updatedInput ? { updatedInput } : {}),
    },
  };
}
