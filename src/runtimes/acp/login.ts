import { join } from 'node:path';
import type { Finding } from '../../domain/preflight/finding.js';
import { type AgentSurroundings, hasVariable } from '../agent-surroundings.js';
import { claudeLogin } from '../claude/preflight.js';
import { codexLogin } from '../codex/preflight.js';

const geminiVariables = /^(GEMINI_API_KEY|GOOGLE_\w+|CLOUD_SHELL)$/;

/** Says that nobody is signed in where the agent is known; of the others nobody can tell. */
export function acpLogin(name: string, look: AgentSurroundings): readonly Finding[] {
  switch (name) {
    case 'claude-agent-acp':
      return claudeLogin(look);
    case 'codex-acp':
      return codexLogin(look);
    case 'gemini':
      return geminiLogin(look);
    default:
      return [];
  }
}

function geminiLogin(look: AgentSurroundings): readonly Finding[] {
  const folder = join(look.env['HOME'] ?? '/', '.gemini');
  if (look.platform === 'darwin' || hasVariable(look.env, geminiVariables)) return [];
  const files = ['oauth_creds.json', 'google_accounts.json', 'settings.json', '.env'];
  if (files.some((file) => look.text(join(folder, file)) !== null)) return [];
  return [
    {
      subject: 'login',
      stops: 'no_permission',
      problem: `Gemini CLI is not signed in: GEMINI_API_KEY is not set, and there is no login in ${folder}.`,
      fix: 'Set GEMINI_API_KEY and restart the worker, or sign in by starting "gemini" once.',
    },
  ];
}
