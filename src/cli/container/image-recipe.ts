/** The runtimes for which an image is built. */
export const recipeNames = [
  'claude',
  'codex',
  'opencode',
  'amp',
  'exec',
  'acp:gemini',
  'acp:claude-agent-acp',
  'acp:codex-acp',
  'acp:opencode',
] as const;
export type RecipeName = (typeof recipeNames)[number];

/** What an image holds beside its base. */
export interface ImageRecipe {
  /** The package of npm's with the agent; left out where the image brings no agent. */
  readonly package?: (arch: string) => string;
  /** The program inside of the packages, with one star for what a version or a machine decides. */
  readonly program?: string;
  readonly name?: string;
}

const opencode: ImageRecipe = {
  package: (arch) => `opencode-linux-${arch}`,
  program: 'opencode-linux-*/bin/opencode',
  name: 'opencode',
};

const recipes: { readonly [name in RecipeName]: ImageRecipe } = {
  claude: {
    package: (arch) => `@anthropic-ai/claude-agent-sdk-linux-${arch}`,
    program: '@anthropic-ai/claude-agent-sdk-linux-*/claude',
    name: 'claude',
  },
  codex: {
    package: () => '@openai/codex',
    program: '@openai/codex-linux-*/vendor/*/bin/codex',
    name: 'codex',
  },
  amp: { package: (arch) => `@ampcode/cli-linux-${arch}`, program: '@ampcode/cli-linux-*/amp', name: 'amp' },
  opencode,
  exec: {},
  'acp:gemini': { package: () => '@google/gemini-cli', program: '.bin/gemini', name: 'gemini' },
  'acp:claude-agent-acp': {
    package: () => '@agentclientprotocol/claude-agent-acp',
    program: '.bin/claude-agent-acp',
    name: 'claude-agent-acp',
  },
  'acp:codex-acp': {
    package: () => '@agentclientprotocol/codex-acp',
    program: '.bin/codex-acp',
    name: 'codex-acp',
  },
  'acp:opencode': opencode,
};

/** The base that a recipe starts from, unless another one is named: it has node, which every container needs. */
export const usualBase = 'node:22-slim';

export function recipeOf(name: RecipeName): ImageRecipe {
  return recipes[name];
}

/** The recipe as an engine reads it. What an agent needs of the network is fetched before, on the machine. */
export function containerfile(name: RecipeName): string {
  const { program, name: command } = recipes[name];
  return [
    `ARG BASE=${usualBase}`,
    'FROM ${BASE}',
    'USER root',
    'RUN command -v node >/dev/null || { echo "The base image must have node." >&2; exit 1; }',
    'RUN command -v git >/dev/null || { apt-get update && apt-get install -y --no-install-recommends git ca-certificates ripgrep && rm -rf /var/lib/apt/lists/*; }',
    ...(program === undefined
      ? []
      : [
          'COPY agent /opt/agent',
          `RUN mkdir -p /usr/local/bin && ln -s /opt/agent/node_modules/${program} /usr/local/bin/${command} && ${command} --version`,
        ]),
    'RUN mkdir -p /workspace /home/agent && chmod 777 /home/agent',
    `LABEL handraise.runtime=${name}`,
    'WORKDIR /workspace',
    '',
  ].join('\n');
}
