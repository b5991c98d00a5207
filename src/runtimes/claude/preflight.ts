// What can be known of a Claude Code before it is started: whether anybody is signed in, and what its settings change.
import { join } from 'node:path';
import type { Finding } from '../../domain/preflight/finding.js';
import {
  type AgentSurroundings,
  hasVariable,
  jsonObject,
  objectOfJson,
  recordOf,
} from '../agent-surroundings.js';
import type { PreflightLaunch } from '../runtime.js';

// A key, a token, another cloud, or a server of the user's own that may want none.
const loginVariables =
  /^(ANTHROPIC_(API_KEY|AUTH_TOKEN|BASE_URL|CUSTOM_HEADERS|UNIX_SOCKET)|CLAUDE_CODE_OAUTH_(REFRESH_)?TOKEN|CLAUDE_CODE_(USE|SKIP)_\w+|AWS_BEARER_TOKEN_BEDROCK)$/;

const managedSettings = '/etc/claude-code/managed-settings.json';

export function claudePreflight(launch: PreflightLaunch): readonly Finding[] {
  return [...claudeLogin(launch), ...askRules(launch)];
}

/** The server that Claude Code talks to. */
export function claudeModelUrl(env: AgentSurroundings['env']): string {
  // A variable without a value is one that is not set.
  return env['ANTHROPIC_BASE_URL'] || 'https://api.anthropic.com';
}

/** Says that nobody is signed in only where every place is known to be empty; on macOS a login may be in the keychain. */
export function claudeLogin(look: AgentSurroundings): readonly Finding[] {
  if (look.platform === 'darwin' || hasVariable(look.env, loginVariables)) return [];
  const folder = configFolder(look);
  if (look.text(join(folder, '.credentials.json')) !== null) return [];
  const home = look.env['CLAUDE_CONFIG_DIR'] ?? look.env['HOME'] ?? '/';
  if (jsonObject(look, join(home, '.claude.json'))?.['primaryApiKey'] !== undefined) return [];
  const settings = [join(folder, 'settings.json'), managedSettings].map((file) => jsonObject(look, file));
  if (settings.some((each) => each && bringsLogin(each))) return [];
  return [
    {
      subject: 'login',
      stops: 'no_permission',
      problem: `Claude Code is not signed in: neither ANTHROPIC_API_KEY nor a token is set, and ${join(folder, '.credentials.json')} is not there.`,
      fix: 'Set ANTHROPIC_API_KEY, or sign in with "claude /login". A key that was set after the worker had started has not reached it: restart it with "handraise down && handraise up -d".',
    },
  ];
}

function bringsLogin(settings: Readonly<Record<string, unknown>>): boolean {
  const { apiKeyHelper, awsAuthRefresh, awsCredentialExport, env } = settings;
  if ([apiKeyHelper, awsAuthRefresh, awsCredentialExport].some((each) => each !== undefined)) return true;
  return Object.keys(recordOf(env) ?? {}).some((name) => loginVariables.test(name));
}

/** Rules that ask hold in every mode, so where nobody is to be asked they are said before the first question comes. */
function askRules(launch: PreflightLaunch): readonly Finding[] {
  if (launch.permissionMode !== 'bypassPermissions') return [];
  return settingsFiles(launch).flatMap(([place, settings]) => {
    const { ask, disableBypassPermissionsMode } = recordOf(settings?.['permissions']) ?? {};
    const found: Finding[] = [];
    if (Array.isArray(ask) && ask.length > 0)
      found.push({
        subject: 'ask_rules',
        problem: `${place} has ${ask.length === 1 ? 'a rule' : `${ask.length} rules`} under permissions.ask, which ask although this work runs unasked.`,
        fix: 'The questions come to the inbox; remove the rules where nobody is to be asked.',
      });
    if (disableBypassPermissionsMode === 'disable')
      found.push({
        subject: 'ask_rules',
        problem: `${place} forbids bypassPermissions, so Claude Code asks before it acts.`,
        fix: 'Answer in the inbox, or remove disableBypassPermissionsMode there.',
      });
    return found;
  });
}

/** The settings that count for this launch, with the words for where they are. */
function settingsFiles(
  launch: PreflightLaunch,
): readonly (readonly [string, Readonly<Record<string, unknown>> | null | undefined])[] {
  const own = join(configFolder(launch), 'settings.json');
  const project = launch.projectFiles.flatMap(({ path, text }) =>
    /^\.claude\/settings(\.local)?\.json$/.test(path) ? [[path, objectOfJson(text)] as const] : [],
  );
  return [
    [managedSettings, jsonObject(launch, managedSettings)],
    ...(launch.settingSources.includes('user') ? [[own, jsonObject(launch, own)] as const] : []),
    ...project,
  ];
}

function configFolder({ env }: AgentSurroundings): string {
  return env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? '/', '.claude');
}
