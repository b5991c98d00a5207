import type { RuntimeName } from '../../protocol/posture.js';
import { homeInside, proxyPort } from './container-arguments.js';
import { modelAddress } from './reachable-hosts.js';

type Environment = Readonly<Record<string, string>>;

/** What a runtime needs that works in a container. */
interface RuntimeNeeds {
  /** Variables that it gets from outside. */
  readonly variables: RegExp;
  /** Of these, the ones that name the model's address. */
  readonly addresses: readonly string[];
  /** The hosts of its model and its login. */
  readonly hosts: readonly string[];
}

const providers =
  /^(ANTHROPIC|OPENAI|GEMINI|GOOGLE_GENERATIVE_AI|OPENROUTER|MISTRAL|GROQ|DEEPSEEK|XAI)_(API_KEY|BASE_URL|AUTH_TOKEN)$/;

const none: RuntimeNeeds = { variables: /^$/, addresses: [], hosts: [] };
const needs: { readonly [name: string]: RuntimeNeeds } = {
  claude: {
    variables:
      /^(ANTHROPIC_(?!UNIX_SOCKET|CONFIG_DIR)|CLAUDE_CODE_(?!SHELL|TMPDIR|GIT_BASH)|CLAUDE_AGENT_SDK_|BASH_|MAX_|MCP_|DISABLE_)[A-Z0-9_]+$|^API_TIMEOUT_MS$/,
    addresses: ['ANTHROPIC_BASE_URL'],
    hosts: ['api.anthropic.com', 'platform.claude.com', 'console.anthropic.com', 'claude.ai'],
  },
  codex: {
    variables: /^(OPENAI_(API_KEY|BASE_URL|ORGANIZATION|PROJECT)|CODEX_(API_KEY|ACCESS_TOKEN|CONFIG))$/,
    addresses: ['OPENAI_BASE_URL'],
    hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
  },
  opencode: {
    variables: new RegExp(`${providers.source}|^OPENCODE_(?!CONFIG$|CONFIG_DIR|DB)[A-Z0-9_]+$`),
    addresses: ['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL'],
    hosts: ['api.anthropic.com', 'api.openai.com', 'opencode.ai', 'models.dev'],
  },
  amp: { variables: /^AMP_[A-Z0-9_]+$/, addresses: ['AMP_URL'], hosts: ['ampcode.com'] },
  'acp:gemini': {
    variables:
      /^(GEMINI_(API_KEY|MODEL|CLI_[A-Z_]+)|GOOGLE_(API_KEY|GEMINI_BASE_URL|CLOUD_[A-Z_]+|GENAI_[A-Z_]+))$/,
    addresses: ['GOOGLE_GEMINI_BASE_URL'],
    hosts: [
      'generativelanguage.googleapis.com',
      'cloudcode-pa.googleapis.com',
      'oauth2.googleapis.com',
      'accounts.google.com',
    ],
  },
};

/** Agents that speak ACP are mostly another door to one of those. */
function needsOf(runtime: RuntimeName): RuntimeNeeds {
  const known = needs[runtime] ?? needs[sameAs[runtime] ?? ''];
  if (known) return known;
  // Of an agent that nobody here knows, the user says in containerHosts and containerEnv what it needs.
  return runtime.startsWith('acp:') ? { ...none, variables: providers } : none;
}

const sameAs: { readonly [name: string]: string } = {
  'acp:claude-agent-acp': 'claude',
  'acp:codex-acp': 'codex',
  'acp:opencode': 'opencode',
};

/** What every program may know of the world around it. */
const plain = /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR)$/;
// What belongs to this machine, or to the engine that the agent must not reach.
const never =
  /^(HANDRAISE_(?!RUN$).*|DOCKER_.*|CONTAINER_.*|PODMAN_.*|SSH_.*|XDG_.*|DBUS_.*|HOME|PATH|PWD|OLDPWD|USER|LOGNAME|SHELL|TMPDIR|LD_.*|NODE_OPTIONS)$/;

/** What an agent in a container gets of its environment, and what it may reach. */
export interface InsideEnvironment {
  /** Values that are ours, or that say nothing of anybody. */
  readonly open: Environment;
  /** Values from outside; a key may be among them. */
  readonly secret: Environment;
  readonly hosts: readonly string[];
  /** Where requests go that were sent to the proxy as if it were the model. */
  readonly modelOrigin?: string;
}

/** Chooses by name: what the runtime needs, what the user has listed, what every program may know, and nothing else. */
export function insideEnvironment(
  runtime: RuntimeName,
  {
    env,
    listed,
    hosts,
  }: { readonly env: Environment; readonly listed: readonly string[]; readonly hosts: readonly string[] },
): InsideEnvironment {
  const wanted = needsOf(runtime);
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const isChosen = (name: string) =>
    !never.test(name) &&
    (plain.test(name) || wanted.variables.test(name) || listed.includes(name) || name === 'HANDRAISE_RUN');
  const chosen = Object.fromEntries(Object.entries(env).filter(([name]) => isChosen(name)));
  const addresses = wanted.addresses.flatMap((name) => {
    const address = chosen[name] === undefined ? null : modelAddress(chosen[name], proxy);
    return address === null ? [] : [{ name, ...address }];
  });
  const told = Object.fromEntries(addresses.map(({ name, told: value }) => [name, value]));
  const origin = addresses.find((address) => address.origin !== undefined)?.origin;
  return {
    open: {
      HOME: homeInside,
      ...Object.fromEntries(
        ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy'].map((name) => [name, proxy]),
      ),
      NO_PROXY: 'localhost,127.0.0.1,::1',
      no_proxy: 'localhost,127.0.0.1,::1',
      // It is a sandbox, whoever the user is in it.
      IS_SANDBOX: '1',
      // The repository is mounted read-only.
      GIT_OPTIONAL_LOCKS: '0',
    },
    secret: { ...chosen, ...told },
    hosts: [
      ...(addresses.length === 0 ? wanted.hosts : addresses.flatMap(({ host }) => host ?? [])),
      ...hosts,
    ],
    ...(origin === undefined ? {} : { modelOrigin: origin }),
  };
}

/** Variables that say where a runtime keeps its things; in a container all of it lies below its home. */
const places = /^(CLAUDE_CONFIG_DIR|CODEX_HOME|XDG_[A-Z_]+|OPENCODE_(CONFIG|CONFIG_DIR|DB))$/;

/** The environment in which the machine's own side looks for what an agent in a container has saved. */
export function environmentWithHome(env: Environment, home: string): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !places.test(name));
  return { ...Object.fromEntries(kept), HOME: home, IS_SANDBOX: '1' };
}
