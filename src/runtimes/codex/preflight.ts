// What can be known of Codex before it is started, and what it says of itself when it is asked.
import { join } from 'node:path';
import type { Finding } from '../../domain/preflight/finding.js';
import { cutText } from '../../protocol/cut-text.js';
import { type AgentSurroundings, hasVariable } from '../agent-surroundings.js';
import type { RuntimeProbe } from '../runtime.js';

const loginVariables = /^(OPENAI_API_KEY|CODEX_API_KEY|CODEX_ACCESS_TOKEN|OPENAI_BASE_URL)$/;
// A provider of the user's own has its own key or none, and a login may be kept in the system's keyring.
const otherLogin =
  /^\s*(\[model_providers|\[profiles|model_provider\b|oss_provider\b|cli_auth_credentials_store\b)/m;

/** Says that nobody is signed in only where every place is known to be empty. */
export function codexLogin(look: AgentSurroundings): readonly Finding[] {
  const home = look.env['CODEX_HOME'] ?? join(look.env['HOME'] ?? '/', '.codex');
  if (hasVariable(look.env, loginVariables) || look.text(join(home, 'auth.json')) !== null) return [];
  if (otherLogin.test(look.text(join(home, 'config.toml')) ?? '')) return [];
  return [
    {
      subject: 'login',
      stops: 'no_permission',
      problem: `Codex is not signed in: ${join(home, 'auth.json')} is not there.`,
      fix: 'Sign in with "codex login", or name a provider with its key in config.toml.',
    },
  ];
}

/** It reads its settings as a run does, which would go on with the defaults where they are broken (measured with 0.166). */
export const codexProbe: RuntimeProbe = {
  args: ['login', 'status'],
  read: ({ code, text }) => {
    const broken = /Error loading config[^\n]*/i.exec(text)?.[0];
    if (code === 0 || broken === undefined) return [];
    return [
      {
        subject: 'settings',
        stops: 'config',
        problem: `Codex cannot read its settings (${cutText(broken, 300)}).`,
        fix: 'Correct config.toml; until then Codex would run with other settings than yours.',
      },
    ];
  },
};
