import { readBoundedFile } from '../process/files/bounded-file.js';

const mostBytes = 2 ** 20;

/** What an adapter may look at in order to say whether its agent could start: variables and files, and nothing else. */
export interface AgentSurroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
  /** What a file holds; null where it is missing or cannot be read as text. */
  readonly text: (path: string) => string | null;
}

/** A look at this machine. */
export function agentSurroundings(env: Readonly<Record<string, string>>): AgentSurroundings {
  return {
    env,
    platform: process.platform,
    text: (path) => {
      const read = readBoundedFile(path, { limit: mostBytes, followLink: true });
      return read.ok ? read.text : null;
    },
  };
}

/** The object in a JSON file: null where the file is missing, undefined where it holds something else. */
export function jsonObject(
  look: AgentSurroundings,
  path: string,
): Readonly<Record<string, unknown>> | null | undefined {
  const text = look.text(path);
  return text === null ? null : objectOfJson(text);
}

export function objectOfJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** Whether one of these variables is set to something. */
export function hasVariable(env: AgentSurroundings['env'], names: RegExp): boolean {
  return Object.entries(env).some(([name, value]) => value !== '' && names.test(name));
}
