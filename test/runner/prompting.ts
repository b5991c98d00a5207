/** A tool call as a directive of the simulator. */
export function tool(name: string, input: Record<string, unknown> = {}): string {
  return `[[tool ${name} ${JSON.stringify(input)}]]`;
}

/** A directive that runs a command line. */
export function bash(command: string, more: Record<string, unknown> = {}): string {
  return tool('Bash', { command, ...more });
}

/** A Bash command that stays for an hour, unless it is ended; Claude Code refuses a bare `sleep`. */
export function longCommand(): string {
  return bash('node -e "setTimeout(() => {}, 3600000)"', { timeout: 600_000 });
}

/** A sub-agent, with what it does in the simulator's nested directives. */
export function subAgent(prompt: string, more: Record<string, unknown> = {}): string {
  return tool('Agent', {
    description: 'a helper',
    prompt,
    subagent_type: 'general-purpose',
    run_in_background: false,
    ...more,
  });
}
