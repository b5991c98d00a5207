import type { HookCallbackMatcher, HookEvent, HookJSONOutput } from '@anthropic-ai/claude-agent-sdk';
import { Failure } from '../../protocol/failure.js';
import type { RuntimeFact } from '../runtime.js';
import { unrecognized } from '../unrecognized.js';
import type { ClaudeTranslator } from './translate.js';
import { type HookName, hookNames, readHook, type ToolHook, type WireHook } from './wire.js';

// Longer than anybody waits: the runner keeps the time, not the runtime. A timer of Node holds at most 2^31 ms.
const hookSeconds = 2_000_000;

// A gate that fails must stay shut.
const gateRule = { timeout: hookSeconds, onFailure: 'block' } as const;

// Inside the SDK a hook may overtake the message that announces its tool, by a few milliseconds.
const overtakingMs = 250;

export interface HookParts {
  readonly translator: ClaudeTranslator;
  readonly emit: (facts: readonly RuntimeFact[]) => void;
  readonly beforeTool: (hook: ToolHook, signal: AbortSignal) => Promise<HookJSONOutput>;
  /** What the agent is told after a tool, or a sub-agent as it begins. */
  readonly context: (hook: WireHook) => string | undefined;
}

export type Hooks = Partial<Record<HookEvent, HookCallbackMatcher[]>>;

/** All hooks, always on: one reports before each tool and may hold or refuse it, the others only report. */
export function hookMatchers(parts: HookParts): Hooks {
  return Object.fromEntries(
    hookNames.map((name) => [name, [name === 'PreToolUse' ? gate(parts) : reporter(name, parts)]]),
  );
}

/** The same hooks for an agent whose session is not known yet; before it is, `current` throws, and the gate stays shut. */
export function lateHooks(current: () => Hooks): Hooks {
  return Object.fromEntries(
    hookNames.map((name) => {
      const late: HookCallbackMatcher = {
        ...(name === 'PreToolUse' ? gateRule : {}),
        hooks: [
          async (...call) => {
            const hook = current()[name]?.[0]?.hooks[0];
            if (!hook) throw new Failure('internal', `There is no hook ${name}.`);
            return await hook(...call);
          },
        ],
      };
      return [name, [late]];
    }),
  );
}

function reporter(name: HookName, { translator, emit, context }: HookParts): HookCallbackMatcher {
  return {
    hooks: [
      async (input) => {
        const hook = readHook(name, input);
        emit(hook ? translator.hook(hook) : [unrecognized(input)]);
        const additionalContext = hook ? context(hook) : undefined;
        return additionalContext === undefined ? {} : contextOutput(name, additionalContext);
      },
    ],
  };
}

function contextOutput(name: HookName, additionalContext: string): HookJSONOutput {
  return name === 'PostToolUse' || name === 'SubagentStart'
    ? { hookSpecificOutput: { hookEventName: name, additionalContext } }
    : {};
}

function gate({ translator, emit, beforeTool }: HookParts): HookCallbackMatcher {
  return {
    ...gateRule,
    hooks: [
      async (input, _toolUseId, { signal }) => {
        const hook = readHook('PreToolUse', input);
        if (!hook) throw new Failure('internal', 'The hook before a tool got an input that it cannot read.');
        if (hook.agent_id === undefined) await announced(translator, hook.tool_use_id);
        emit(translator.hook(hook));
        return await beforeTool(hook, signal);
      },
    ],
  };
}

/** Waits until the message with this tool call was taken, so that the text before it comes first. */
async function announced(translator: ClaudeTranslator, toolUseId: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, overtakingMs);
  });
  await Promise.race([translator.tools.started(toolUseId), late]);
  clearTimeout(timer);
}
