import type { SettingKey } from './settings.js';

const hidden = '***';
const secrets: ReadonlySet<string> = new Set(['token', 'secret', 'botToken', 'appToken']);

/** A value as it may be printed: passwords, tokens and addresses that are secrets themselves are nobody's business. */
export function shownValue(key: SettingKey, value: unknown): unknown {
  if (key === 'notify') return shownChannels(value);
  if (key !== 'store' || typeof value !== 'string') return value;
  return value.replace(/^([a-z]+:\/\/[^:@/]*):.*@/s, `$1:${hidden}@`);
}

/** Channels as they were read, or as somebody typed them. */
function shownChannels(value: unknown): unknown {
  if (typeof value === 'string') {
    const typed = fromJson(value);
    // What is no JSON may still hold a token.
    return typed === undefined ? (/[{[:]/.test(value) ? hidden : value) : shownChannels(typed);
  }
  if (Array.isArray(value)) return value.map(shownChannels);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, shownField(name, field)] as const),
  );
}

function shownField(name: string, field: unknown): unknown {
  if (secrets.has(name)) return hidden;
  if (name !== 'url' || typeof field !== 'string') return field;
  // Whoever knows the topic of ntfy, or the path of a hook, can write there.
  return URL.canParse(field) ? `${new URL(field).origin}/${hidden}` : hidden;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
