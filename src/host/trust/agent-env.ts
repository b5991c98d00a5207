// Claude reads hundreds of CLAUDE_* variables. Most describe one session, and a worker that was started from inside of
// an agent would hand its own agents that session's id, sockets, credentials and switches. So only these are kept:
// the home, the provider and login, client certificates, and what a user opted out of.
const CLAUDE_KEPT = [
  /^CLAUDE_CONFIG_DIR$/,
  /^CLAUDE_CODE_USE_(ANTHROPIC_AWS|ANTHROPIC_GOOGLE_CLOUD|BEDROCK|FOUNDRY|GATEWAY|MANTLE|VERTEX)$/,
  /^CLAUDE_CODE_SKIP_[A-Z_]+_AUTH$/,
  /^CLAUDE_CODE_OAUTH_(TOKEN|REFRESH_TOKEN|SCOPES|CLIENT_ID)$/,
  /^CLAUDE_CODE_(API_KEY_HELPER_TTL_MS|CERT_STORE|CLIENT_(CERT|KEY|KEY_PASSPHRASE)|PROXY_RESOLVES_HOSTS)$/,
  /^CLAUDE_CODE_(ENABLE_TELEMETRY|GIT_BASH_PATH|MAX_OUTPUT_TOKENS|MAX_RETRIES|SHELL|SUBAGENT_MODEL)$/,
  /^CLAUDE_CODE_DISABLE_[A-Z0-9_]+$/,
];

const DROPPED = [
  // Ours: where the state and the token are, and which run a process belongs to. Runners are told which programs to start.
  /^HANDRAISE_(?!(AMP|CLAUDE|CODEX|OPENCODE)$)/,
  // What would load code into every program that an agent starts.
  /^(LD_PRELOAD|LD_AUDIT|DYLD_.+|NODE_OPTIONS|NODE_REPL_EXTERNAL_MODULE|NODE_V8_COVERAGE)$/,
  // The channel of a Node that forked us.
  /^(NODE_CHANNEL_FD|NODE_CHANNEL_SERIALIZATION_MODE|NODE_UNIQUE_ID)$/,
  // Which package an npm that started us was working for.
  /^(npm_(lifecycle|package)_.+|npm_command|npm_execpath|npm_node_execpath|INIT_CWD)$/,
  // Which repository a git hook that started us was working for.
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE)$/,
  // Other agents' marks of what runs inside of them.
  /^(AI_AGENT|CODEX_SANDBOX|CODEX_SANDBOX_NETWORK_DISABLED|CODEX_THREAD_ID|GEMINI_CLI|OPENCODE|OPENCODE_PID)$/,
  // Where a service manager listens for us.
  /^(NOTIFY_SOCKET|LISTEN_FDS|LISTEN_PID|LISTEN_FDNAMES|WATCHDOG_PID|WATCHDOG_USEC)$/,
];

/**
 * The environment that agents inherit from the worker's own: the user's PATH, languages, proxies, credentials and
 * IS_SANDBOX stay; what is ours, what belongs to whoever started us, and what loads code into every process goes.
 */
export function agentEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  // A script of npm's has all of npm's settings in its environment; otherwise they are the user's own.
  const byNpm = env['npm_lifecycle_event'] !== undefined || env['npm_command'] !== undefined;
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || (byNpm && name.startsWith('npm_config_'))) continue;
    if (isForAgents(name)) kept[name] = value;
  }
  return kept;
}

function isForAgents(name: string): boolean {
  if (name === 'CLAUDECODE' || name.startsWith('CLAUDE_')) return CLAUDE_KEPT.some((rule) => rule.test(name));
  return !DROPPED.some((rule) => rule.test(name));
}
