import { noHelperVariable } from '../../protocol/needs-input.js';
import { type InstructionNames, ProjectInstructions } from '../project-instructions.js';
import type { Launch } from '../runtime.js';
import { needsInputLesson } from './needs-input-skill.js';
import type { WireHook } from './wire.js';

/** What Claude Code reads of a project by itself where it reads the project at all. */
const names: InstructionNames = {
  files: [['CLAUDE.md', 'AGENTS.md'], ['.claude/CLAUDE.md'], ['CLAUDE.local.md']],
  folders: ['.claude/rules'],
  imports: true,
};

/** Whether Claude Code itself reads the project's folder, its instructions and its code. */
export function readsProject({ projectCode, settingSources }: Launch): boolean {
  return projectCode === 'workspace' && settingSources.includes('project');
}

/** What the agent is told beside its messages: our part takes the place of what it does not read by itself. */
export class SuppliedInstructions {
  /** What is appended to the system prompt. */
  readonly append: string | undefined;
  readonly #project: ProjectInstructions | null;
  /** A sub-agent has to be told it again: the system prompt is not its own. */
  readonly #forWork: string | undefined;

  constructor(launch: Launch) {
    const isWanted = launch.projectCode !== 'workspace' && launch.settingSources.includes('project');
    this.#project = isWanted ? new ProjectInstructions(launch.cwd, names) : null;
    this.#forWork = this.#project?.forWork();
    const isTaught = !readsProject(launch) && launch.env[noHelperVariable] !== 'true';
    const parts = [this.#forWork, launch.instructions, isTaught ? needsInputLesson : undefined];
    this.append = parts.filter((text) => text !== undefined).join('\n\n') || undefined;
  }

  /** What could not be told. */
  get warnings(): readonly string[] {
    return this.#project?.problems ?? [];
  }

  /** What is told at this point: to a sub-agent that begins, or after a file was used in whose folder something holds. */
  at(hook: WireHook): string | undefined {
    if (hook.hook_event_name === 'SubagentStart') return this.#forWork;
    // A sub-agent that is told does not tell the main agent, which is told each thing once.
    if (hook.hook_event_name !== 'PostToolUse' || hook.agent_id !== undefined) return undefined;
    const file = hook.tool_input['file_path'] ?? hook.tool_input['notebook_path'];
    return typeof file === 'string' ? this.#project?.forFile(file) : undefined;
  }
}
