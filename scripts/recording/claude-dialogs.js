import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What Claude Code asks a person the first time, who has answered it before.
 * @param {Readonly<Record<string, string>>} env
 * @param {string} workspace
 */
export async function acceptDialogs(env, workspace) {
  const config = env['CLAUDE_CONFIG_DIR'] ?? '';
  await mkdir(config, { recursive: true });
  const state = {
    hasCompletedOnboarding: true,
    projects: { [workspace]: { hasTrustDialogAccepted: true } },
    customApiKeyResponses: { approved: [env['ANTHROPIC_API_KEY']], rejected: [] },
  };
  await writeFile(join(config, '.claude.json'), JSON.stringify(state));
}
