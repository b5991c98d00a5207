import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { Launch } from '../runtime.js';
import { isRecord } from './wire.js';

type Settings = Exclude<NonNullable<Options['settings']>, string>;

// They travel as one argument of a process, which Linux cuts off at 128 KiB.
const mostBytes = 100 * 1024;

const files = { project: '.claude/settings.json', local: '.claude/settings.local.json' };

/** The approved settings of the project, to be given to Claude Code as ours; empty when there are none. */
export function approvedSettings({ projectCode, settingSources }: Launch): {
  readonly settings: Settings;
  readonly warnings: string[];
} {
  let settings: Record<string, unknown> = {};
  const warnings: string[] = [];
  if (projectCode === 'workspace') return { settings, warnings };
  for (const source of ['project', 'local'] as const) {
    const file = projectCode.files.find(({ path }) => path === files[source]);
    if (!file || !settingSources.includes(source)) continue;
    const read = objectIn(file.text);
    if (read === null) warnings.push(`${file.path} is left out: it is not a JSON object.`);
    else if (Buffer.byteLength(JSON.stringify(merged(settings, read))) > mostBytes)
      warnings.push(`${file.path} is left out: the settings are larger than ${mostBytes} bytes.`);
    else settings = merged(settings, read);
  }
  return { settings, warnings };
}

/** As Claude Code itself puts the two together: lists are joined, and else the later one wins. */
function merged(first: Record<string, unknown>, second: Record<string, unknown>): Record<string, unknown> {
  const both = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const before = both[key];
    both[key] =
      isRecord(before) && isRecord(value)
        ? merged(before, value)
        : Array.isArray(before) && Array.isArray(value)
          ? [...before, ...value]
          : value;
  }
  return both;
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
