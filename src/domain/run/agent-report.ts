import type { AgentAccount, AgentCommand, AgentModel, AgentServer } from '../../protocol/agent-report.js';
import { cutText } from '../../protocol/cut-text.js';
import { given } from '../../protocol/given.js';
import { stringField } from '../../protocol/string-field.js';

// Runtimes say the same in different fields. What they say is theirs: read loosely, bounded, and only what is named here.

const mostEntries = 500;
const longestName = 200;
const longestText = 500;

export function modelsIn(models: readonly unknown[]): AgentModel[] {
  return entries(models, (model) => {
    const id = field(model, ['value', 'model', 'id']);
    if (id === undefined) return null;
    return {
      id,
      ...given({ name: field(model, ['displayName', 'name']), description: words(model, ['description']) }),
    };
  });
}

export function commandsIn(commands: readonly unknown[]): AgentCommand[] {
  return entries(commands, (command) => {
    const name = field(command, ['name']);
    return name === undefined ? null : { name, ...given({ description: words(command, ['description']) }) };
  });
}

export function serversIn(servers: readonly unknown[]): AgentServer[] {
  return entries(servers, (server) => {
    const name = field(server, ['name']);
    if (name === undefined) return null;
    return {
      name,
      ...given({ status: field(server, ['status', 'authStatus']), error: words(server, ['error']) }),
    };
  });
}

export function accountIn(info: Readonly<Record<string, unknown>>): AgentAccount {
  // Codex has it one level deeper.
  const account = typeof info['account'] === 'object' && info['account'] !== null ? info['account'] : info;
  return given({
    email: field(account, ['email']),
    organization: field(account, ['organization']),
    plan: field(account, ['subscriptionType', 'planType']),
    login: field(account, ['apiKeySource', 'tokenSource', 'type']),
  });
}

function entries<Entry>(list: readonly unknown[], read: (entry: unknown) => Entry | null): Entry[] {
  return list.slice(0, mostEntries).flatMap((each) => read(each) ?? []);
}

/** The first of the fields that has a text. */
function field(value: unknown, names: readonly string[]): string | undefined {
  return textOf(value, names, longestName);
}

function words(value: unknown, names: readonly string[]): string | undefined {
  return textOf(value, names, longestText);
}

function textOf(value: unknown, names: readonly string[], length: number): string | undefined {
  for (const name of names) {
    const text = stringField(value, name);
    if (text) return cutText(text, length);
  }
  return undefined;
}
