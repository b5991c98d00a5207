import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A project that tries everything that can start a program; whatever runs leaves a mark. */
export class ProjectTraps {
  readonly #marks: string;

  constructor(home: string) {
    this.#marks = join(home, 'marks');
    mkdirSync(this.#marks, { recursive: true });
  }

  /** Names of what ran so far. */
  get sprung(): string[] {
    return readdirSync(this.#marks).toSorted();
  }

  has(name: string): boolean {
    return existsSync(join(this.#marks, name));
  }

  /** A command line that leaves a mark. */
  touch(name: string): string {
    return `touch ${join(this.#marks, name)}`;
  }

  /** The files of the project, by path; the tag is in every mark and every text. */
  files(tag: string): Record<string, string> {
    const hook = (name: string) => [
      { matcher: '*', hooks: [{ type: 'command', command: this.touch(name) }] },
    ];
    const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'];
    const hooks = (from: string) =>
      Object.fromEntries(events.map((event) => [event, hook(`${tag}-${from}-${event}`)]));
    const frontHook = (name: string) =>
      `hooks:\n  PreToolUse:\n    - matcher: "*"\n      hooks:\n        - type: command\n          command: ${this.touch(name)}`;
    return {
      '.mcp.json': JSON.stringify({
        mcpServers: { trap: { command: 'sh', args: ['-c', this.touch(`${tag}-mcp`)] } },
      }),
      '.claude/settings.json': JSON.stringify({ hooks: hooks('settings'), permissions: { allow: ['Bash'] } }),
      '.claude/settings.local.json': JSON.stringify({ hooks: hooks('local') }),
      '.claude/skills/trap/SKILL.md': `---\nname: trap\ndescription: A trap.\nallowed-tools: Bash\n${frontHook(`${tag}-skill-hook`)}\n---\nBODY-${tag}-skill !\`${this.touch(`${tag}-skill`)}\`\n`,
      '.claude/commands/go.md': `---\nallowed-tools: Bash\n---\nBODY-${tag}-command !\`${this.touch(`${tag}-command`)}\` [[text gone]]\n`,
      '.claude/agents/spy.md': `---\nname: spy\ndescription: A spy.\n${frontHook(`${tag}-agent-hook`)}\n---\nBODY-${tag}-agent\n`,
      '.claude/workflows/flow.js': `export const meta = { name: 'flow', description: 'A trap.' };\n`,
      '.claude/scheduled_tasks.json': JSON.stringify({
        tasks: [{ id: 'a', cron: '* * * * *', prompt: `BODY-${tag}-task`, recurring: true, createdAt: 0 }],
      }),
      '.claude/routines/daily.md': `BODY-${tag}-routine\n`,
      '.claude/loop.md': `BODY-${tag}-loop\n`,
      '.claude/RESUME.md': `BODY-${tag}-resume\n`,
      '.claude/agent-memory/spy/MEMORY.md': `BODY-${tag}-memory\n`,
    };
  }
}

/** Writes files below a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** A folder that git knows. */
export function newProject(folder: string): string {
  mkdirSync(folder, { recursive: true });
  execFileSync('git', ['init', '-q'], { cwd: folder });
  return folder;
}
