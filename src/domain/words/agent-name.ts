import type { RuntimeName } from '../../protocol/posture.js';

const names: Readonly<Record<string, string>> = {
  claude: 'Claude',
  codex: 'Codex',
  opencode: 'OpenCode',
  amp: 'Amp',
};

/** What people call the agent of a runtime, at the beginning of a sentence; an ACP agent has a name of its own. */
export function agentName(runtime: RuntimeName | undefined): string {
  if (runtime?.startsWith('acp:') || runtime?.startsWith('npm:')) return runtime.slice('acp:'.length);
  return names[runtime ?? ''] ?? 'The agent';
}
