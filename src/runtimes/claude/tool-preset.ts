import type { ToolPreset } from '../../protocol/posture.js';

/** Tools that talk to the person or plan the work; every preset has them. */
const interaction = [
  'AskUserQuestion',
  'ExitPlanMode',
  'EnterPlanMode',
  'TodoWrite',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskUpdate',
  'ToolSearch',
  'StructuredOutput',
];

/** Children of Agent run the same hooks (measured), so that the preset binds them too. */
const delegation = ['Agent', 'Task', 'TaskOutput', 'TaskStop'];

const reading = ['Read', 'Glob', 'Grep', 'WebFetch', 'WebSearch'];

/** Everything that runs a command line; Monitor does it as well as Bash. */
const shells = ['Bash', 'BashOutput', 'KillShell', 'Monitor', 'PowerShell', 'REPL'];

const lists: Record<'read-only' | 'safe-edit', ReadonlySet<string>> = {
  'read-only': new Set([...reading, ...interaction, ...delegation, 'Write']),
  'safe-edit': new Set([...reading, 'Edit', ...interaction, ...delegation, 'Write']),
};

/** Which tools a preset leaves; Write is listed everywhere, because the needs-input file is written with it. */
export class PresetRule {
  readonly #preset: ToolPreset;
  readonly #builtInReadTools: ReadonlySet<string>;

  /** `builtInReadTools`: as the agent knows them. */
  constructor(preset: ToolPreset, builtInReadTools: readonly string[]) {
    this.#preset = preset;
    this.#builtInReadTools = new Set(builtInReadTools);
  }

  /** The value of the SDK's `tools`: what exists at all, sub-agents included. */
  get tools(): string[] | { type: 'preset'; preset: 'claude_code' } {
    if (this.#preset === 'full' || this.#preset === 'no-bash')
      return { type: 'preset', preset: 'claude_code' };
    return [...lists[this.#preset]];
  }

  get disallowedTools(): string[] {
    return this.#preset === 'full'
      ? []
      : this.#preset === 'no-bash'
        ? shells
        : [...shells, 'NotebookEdit', 'Workflow'];
  }

  /** Whether real files other than the needs-input file may be written with Write. */
  get writesFiles(): boolean {
    return this.#preset === 'full' || this.#preset === 'no-bash';
  }

  allows(tool: string): boolean {
    if (this.#preset === 'full') return true;
    if (this.#preset === 'no-bash') return !shells.includes(tool);
    return lists[this.#preset].has(tool) || this.#builtInReadTools.has(tool);
  }

  /** What the agent is told when it calls a tool that its preset does not have. */
  refusal(tool: string): string {
    return `The tool preset "${this.#preset}" does not allow ${tool}.`;
  }
}
