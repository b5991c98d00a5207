import type { Posture } from '../../protocol/posture.js';

// Whose usage a model counts, as far as the environment says it: the key or login, where a login is kept, and which provider is asked.
// Anything else, such as the ports of a worktree or the variables of a pipeline, makes no other account.
const ofAccount = [
  /_(API_KEY|AUTH_TOKEN|OAUTH_TOKEN|BASE_URL|UNIX_SOCKET|API_BASE|API_HOST|ENDPOINT)$/,
  /^(HOME|XDG_CONFIG_HOME|XDG_DATA_HOME|CLAUDE_CONFIG_DIR|CODEX_HOME|GEMINI_CLI_HOME)$/,
  /^OPENCODE_(CONFIG|CONFIG_DIR|CONFIG_CONTENT|AUTH_CONTENT)$/,
  /^CLAUDE_CODE_USE_[A-Z_]+$/,
  /^AWS_(PROFILE|ACCESS_KEY_ID|BEARER_TOKEN_BEDROCK|REGION)$/,
  /^(GOOGLE_CLOUD_PROJECT|ANTHROPIC_VERTEX_PROJECT_ID|CLOUD_ML_REGION)$/,
];

/**
 * What tells the account of a thread from the worker's own account for the same runtime, as one text; empty where nothing does. It may
 * contain keys. Models of OpenCode are named with their provider, and each provider counts for itself.
 */
export function accountText({
  runtime,
  posture: { env = {}, model },
}: {
  readonly runtime: string;
  readonly posture: Pick<Posture, 'env' | 'model'>;
}): string {
  const variables = Object.entries(env)
    .filter(([name]) => ofAccount.some((rule) => rule.test(name)))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const provider = isOfProviders(runtime) && model?.includes('/') ? (model.split('/')[0] ?? '') : '';
  return variables.length === 0 && provider === '' ? '' : JSON.stringify([provider, ...variables]);
}

function isOfProviders(runtime: string): boolean {
  return runtime === 'opencode' || runtime === 'acp:opencode';
}
