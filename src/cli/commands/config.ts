import type { Command } from 'commander';
import { plainText } from '../../domain/words/plain-text.js';
import { Failure } from '../../protocol/failure.js';
import { lineWidth, writeJson, writeLine, writeMessage } from '../output.js';
import { effectiveSettings } from '../settings/effective-settings.js';
import {
  isSettingKey,
  parseSetting,
  refusalOf,
  type SettingKey,
  Settings,
  settingKeys,
  variableOf,
} from '../settings/settings.js';
import { projectFile, readSettingsFile, userFile, writeSettingsFile } from '../settings/settings-file.js';
import { shownValue } from '../settings/shown-value.js';
import { coloursOf } from '../terminal/colours.js';
import { tableLines } from '../terminal/table.js';
import { trust } from './config-trust.js';

/** `handraise config`: settings, where each comes from, and a project's own code. */
export function addConfig(program: Command): void {
  const config = program
    .command('config')
    .summary('read and change settings')
    .description(
      'Reads and changes settings. A flag beats an environment variable, which beats the project file, which beats ' +
        'your own file, which beats the default.',
    )
    .addHelpText('after', help);

  config
    .command('ls', { isDefault: true })
    .description('Lists every setting, its value, and where the value comes from.')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise config ls\n')
    .action(list);

  config
    .command('get')
    .description('Prints one setting.')
    .argument('<key>', 'name of the setting')
    .option('--json', 'print it as JSON, with where its value comes from')
    .addHelpText('after', '\nExamples:\n  $ handraise config get slots\n')
    .action(get);

  config
    .command('set')
    .description('Changes a setting in your own file.')
    .argument('<key>', 'name of the setting')
    .argument('<value>', 'the new value; separate the items of a list with commas')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise config set slots 6\n')
    .action(set);

  config
    .command('unset')
    .description('Removes a setting from your own file.')
    .argument('<key>', 'name of the setting')
    .option('--json', 'print the value that applies now as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise config unset model\n')
    .action(unset);

  config
    .command('path')
    .description('Prints the path of your settings file.')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  $ $EDITOR "$(handraise config path)"\n')
    .action(({ json }: { json?: true }) => {
      const user = userFile(process.env);
      if (json) writeJson({ user, project: projectFile('.') ?? null });
      else writeLine(user);
    });

  config
    .command('trust')
    .description(
      "Shows the project's files that can start programs or grant permissions (such as .mcp.json and .claude/settings.json) and " +
        'approves them as they are. Until you approve them, agents in that project run without them.',
    )
    .argument('[folder]', 'the project folder, or the file of a pipeline', '.')
    .option('-y, --yes', 'approve without asking')
    .option('--json', 'print the files and whether they are approved as JSON')
    .addHelpText(
      'after',
      '\nAlso shows the scripts that would set up new worktrees of the project (docs/worktrees.md).\n\nExamples:\n  $ handraise config trust\n  $ handraise config trust ~/work/shop --yes\n  $ handraise config trust idea.yaml\n',
    )
    .action(trust);
}

const help = `
Examples:
  $ handraise config
  $ handraise config set model opus
  $ HANDRAISE_SLOTS=2 handraise up

Your own file is handraise/config.json in the XDG config folder; a project's file is .handraise/config.json. A project
file can set only runtime, model, retries and timeoutSeconds, never a command, an address or a permission.
`;

interface JsonOption {
  readonly json?: true;
}

function effective() {
  const settings = effectiveSettings({ env: process.env, folder: '.' });
  for (const note of settings.notes) writeMessage(note);
  return settings;
}

function list({ json }: JsonOption): void {
  const { values, origins } = effective();
  const rows = settingKeys.map((key) => ({
    key,
    value: shownValue(key, values[key] ?? null),
    origin: origins.get(key) ?? 'default',
    about: Settings.shape[key].description ?? '',
  }));
  if (json) return writeJson(rows);
  const { dim } = coloursOf(process.stdout);
  const lines = tableLines(
    [
      { header: 'SETTING' },
      { header: 'VALUE', isFlexible: true },
      { header: 'FROM', isFlexible: true },
      { header: 'WHAT IT IS', isFlexible: true },
    ],
    rows.map(({ key, value, origin, about }) => [
      { text: key },
      { text: valueWords(value) },
      { text: origin },
      { text: about, paint: dim },
    ]),
    { width: lineWidth(process.stdout), paintHeader: dim },
  );
  for (const line of lines) writeLine(line);
}

function get(text: string, { json }: JsonOption): void {
  const key = keyOf(text);
  const { values, origins } = effective();
  if (json) writeJson({ key, value: shownValue(key, values[key] ?? null), origin: origins.get(key) });
  else writeLine(plainText(valueWords(shownValue(key, values[key] ?? null))));
}

function set(text: string, typed: string, { json }: JsonOption): void {
  const key = keyOf(text);
  const value = parseSetting(key, typed);
  if (value === undefined) throw new Failure('invalid', refusalOf(key, typed));
  const file = userFile(process.env);
  writeSettingsFile(file, { ...readSettingsFile(file), [key]: value });
  tellWhatHolds(key, json);
}

function unset(text: string, { json }: JsonOption): void {
  const key = keyOf(text);
  const file = userFile(process.env);
  const { [key]: _, ...rest } = readSettingsFile(file);
  writeSettingsFile(file, rest);
  tellWhatHolds(key, json);
}

// What was written is not always what holds: the environment or the project may say otherwise.
function tellWhatHolds(key: SettingKey, json: true | undefined): void {
  const { values, origins } = effective();
  const origin = origins.get(key);
  if (json) writeJson({ key, value: shownValue(key, values[key] ?? null), origin });
  const also = origin === variableOf(key) ? `; ${origin} overrides the file` : '';
  writeMessage(`${key} is ${valueWords(shownValue(key, values[key] ?? null))} (${origin})${also}`);
  writeMessage('A running worker uses the new value after its next restart.');
}

function keyOf(text: string): SettingKey {
  if (isSettingKey(text)) return text;
  const like = settingKeys.filter((key) => key.toLowerCase().startsWith(text.toLowerCase().slice(0, 3)));
  const hint = like.length > 0 ? ` Did you mean ${like.join(' or ')}?` : '';
  throw new Failure(
    'usage',
    `There is no setting "${text}".${hint} List all settings with: handraise config ls`,
  );
}

function valueWords(value: unknown): string {
  if (value === null) return '–';
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.length === 0 ? '–' : value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
