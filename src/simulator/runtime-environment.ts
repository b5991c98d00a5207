import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The runtimes that can be steered to the simulator. */
export const steeredRuntimes = ['claude', 'codex', 'opencode', 'gemini'] as const;
export type SteeredRuntime = (typeof steeredRuntimes)[number];

/** What a runtime needs in order to talk to the simulator and to leave the user's own settings alone. */
export interface RuntimeEnvironment {
  /** To be added to a PATH and little else. */
  env: Record<string, string>;
  /** Contents by absolute path. */
  files: Record<string, string>;
  /** Folders that must exist. */
  folders: string[];
}

interface Place {
  /** The simulator's address. */
  url: string;
  /** A private folder that stands in for the user's home. */
  home: string;
}

/** The environment and settings that steer a runtime to the simulator. */
export function runtimeEnvironment(runtime: SteeredRuntime, { url, home }: Place): RuntimeEnvironment {
  const tmp = join(home, 'tmp');
  const { env, files } = recipes[runtime]({ url, home });
  return {
    env: { HOME: home, TMPDIR: tmp, ...xdg(home), ...env },
    files: Object.fromEntries(Object.entries(files).map(([path, content]) => [join(home, path), content])),
    folders: [tmp, ...Object.values(xdg(home))],
  };
}

/** Writes the files and folders of an environment. */
export async function writeRuntimeFiles({ files, folders }: RuntimeEnvironment): Promise<void> {
  for (const folder of folders) await mkdir(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

type Recipe = (place: Place) => { env: Record<string, string>; files: Record<string, string> };

const recipes: Record<SteeredRuntime, Recipe> = {
  claude: ({ url, home }) => ({
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'simulated',
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      // Without it Claude Code writes sockets and probes to the shared /tmp whatever TMPDIR says.
      CLAUDE_CODE_TMPDIR: join(home, 'tmp'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    },
    files: {},
  }),
  codex: ({ url, home }) => ({
    // Codex refuses to set up its sandbox when CODEX_HOME lies below TMPDIR, so the two are siblings.
    env: { CODEX_HOME: join(home, '.codex') },
    files: {
      '.codex/config.toml': [
        'model = "sim"',
        'model_provider = "sim"',
        'check_for_update_on_startup = false',
        '',
        '[model_providers.sim]',
        'name = "Handraise simulator"',
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        'request_max_retries = 0',
        'stream_max_retries = 0',
        '',
        '[analytics]',
        'enabled = false',
        '',
        '[features]',
        '# An address that nothing listens on must fail a turn, not hold it for ever.',
        'unbounded_connection_retries = false',
        '',
      ].join('\n'),
    },
  }),
  opencode: ({ url, home }) => ({
    env: {
      OPENCODE_CONFIG: join(home, 'opencode.json'),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    },
    files: {
      'opencode.json': pretty({
        $schema: 'https://opencode.ai/config.json',
        model: 'sim/sim',
        provider: {
          sim: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Handraise simulator',
            options: { baseURL: `${url}/v1`, apiKey: 'simulated' },
            models: { sim: { name: 'sim' } },
          },
        },
      }),
    },
  }),
  gemini: ({ url }) => ({
    env: {
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_API_KEY: 'simulated',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      // Otherwise gemini starts itself a second time, and the first process swallows a SIGTERM while it waits.
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
    files: {
      '.gemini/settings.json': pretty({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    },
  }),
};

function xdg(home: string): Record<string, string> {
  return {
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: join(home, '.cache'),
  };
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
