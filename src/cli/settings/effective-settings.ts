import * as z from 'zod';
import { plainLine } from '../../domain/words/plain-text.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import { ScriptsConfig } from '../../protocol/scripts-config.js';
import {
  isForProjects,
  isSettingKey,
  parseSetting,
  refusalOf,
  type SettingKey,
  Settings,
  settingKeys,
  settingsOfRepository,
  variableOf,
} from './settings.js';
import { checkoutOf, projectFile, readSettingsFile, realPath, userFile } from './settings-file.js';

const mostNotes = 30;
const Paths = z.record(z.string(), z.unknown());

/** What a command was called with. */
export interface SettingsSource {
  readonly env: NodeJS.ProcessEnv;
  /** Where the command works; it decides which project's file counts. */
  readonly folder: string;
  readonly flags?: { readonly [Key in SettingKey]?: unknown };
}

/** The settings of one command, with where each value comes from. */
export interface EffectiveSettings {
  readonly values: Settings;
  readonly origins: ReadonlyMap<SettingKey, string>;
  /** Sentences about what was left out. */
  readonly notes: readonly string[];
}

interface Layer {
  readonly origin: (key: SettingKey) => string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Flag over environment over what the user says for this repository over project over user over default. */
export function effectiveSettings({ env, folder, flags = {} }: SettingsSource): EffectiveSettings {
  const notes: string[] = [];
  const user = userLayer(userFile(env));
  const layers: Layer[] = [
    user,
    projectLayer(projectFile(folder), notes),
    repositoryLayer(user, folder),
    environmentLayer(env),
    { origin: () => 'flag', values: flags },
  ];
  const origins = new Map<SettingKey, string>(settingKeys.map((key) => [key, 'default']));
  const chosen: Partial<Record<SettingKey, unknown>> = {};
  for (const { origin, values } of layers) {
    for (const [key, value] of Object.entries(values)) {
      if (!isSettingKey(key) || value === undefined) continue;
      chosen[key] = value;
      origins.set(key, origin(key));
    }
  }
  const parsed = Settings.safeParse(chosen);
  if (parsed.success) return { values: parsed.data, origins, notes };
  const key = String(parsed.error.issues[0]?.path[0] ?? '');
  if (!isSettingKey(key)) throw new Failure('config', parsed.error.message);
  const origin = origins.get(key);
  if (origin === 'flag') throw new Failure('usage', refusalOf(key, chosen[key]));
  throw new Failure('config', `${refusalOf(key, chosen[key])} (from: ${origin})`);
}

function userLayer(file: string): Layer {
  const values = readSettingsFile(file);
  const unknown = Object.keys(values).find((key) => !isSettingKey(key));
  if (unknown !== undefined)
    throw new Failure(
      'config',
      `${file} sets "${nameOf(unknown)}", which is not a setting. List all settings with: handraise config ls`,
    );
  return { origin: () => file, values };
}

/** What the user's own file says for the repository that the folder is in, or whose address it is. */
function repositoryLayer({ origin, values }: Layer, folder: string): Layer {
  const top = checkoutOf(folder);
  const byPath = Paths.safeParse(values['repositories']).data ?? {};
  const found = Object.entries(byPath).find(
    ([path]) => path === folder || (top !== undefined && realPath(path) === top),
  );
  return { origin, values: found ? settingsOfRepository(found[1]) : {} };
}

// A project's file that says too much is no reason to refuse work: its words are ignored, and it is said.
function projectLayer(file: string | undefined, notes: string[]): Layer {
  if (file === undefined) return { origin: () => '', values: {} };
  const entries = Object.entries(readProjectFile(file, notes));
  const allowed = entries.filter(([key, value]) => isSettingKey(key) && isForProjects(key, value));
  const ignored = entries
    .filter((entry) => !allowed.includes(entry))
    .map(([key]) => key)
    // The worker reads these where it makes a worktree, and runs nothing of them unasked.
    .filter((key) => !Object.hasOwn(ScriptsConfig.shape, key));
  notes.push(
    ...ignored
      .slice(0, mostNotes)
      .map((key) => `Ignored "${nameOf(key)}" in ${file}: a project file cannot set it.`),
  );
  if (ignored.length > mostNotes)
    notes.push(`Ignored ${ignored.length - mostNotes} more settings in ${file}.`);
  return { origin: () => file, values: Object.fromEntries(allowed) };
}

/** A name that comes from a file, on one line and not too long: it must not look like a line of ours. */
function nameOf(key: string): string {
  return plainLine(key, { maxLength: 80 });
}

// A project's file that cannot be read is no reason to refuse work either.
function readProjectFile(file: string, notes: string[]): Record<string, unknown> {
  try {
    return readSettingsFile(file);
  } catch (error) {
    notes.push(`Ignored the settings of the project. ${errorSentence(error)}`);
    return {};
  }
}

function environmentLayer(env: NodeJS.ProcessEnv): Layer {
  const set = settingKeys.flatMap((key) => {
    const text = env[variableOf(key)];
    return text === undefined || text === '' ? [] : [[key, parseSetting(key, text) ?? text] as const];
  });
  return { origin: variableOf, values: Object.fromEntries(set) };
}
