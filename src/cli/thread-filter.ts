import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ThreadQuery } from '../client/threads.js';
import { given } from '../protocol/given.js';
import { WorkStanding } from '../protocol/thread-query.js';

/** Which threads a command is about. */
export interface ThreadFilterOptions {
  readonly state?: WorkStanding;
  readonly label?: readonly string[];
  readonly workspace?: string;
  readonly runtime?: string;
  readonly archived?: true;
}

/** The options of every command that lists threads. */
export function addThreadFilters(command: Command): Command {
  return command
    .addOption(
      new Option('--state <state>', 'only those whose newest work has this state').choices(
        WorkStanding.options,
      ),
    )
    .option('--label <key[=value]>', 'only those with work that has this label (repeatable)', toLabels)
    .option('-C, --workspace <folder>', 'only those whose work was asked for in this folder or below it')
    .option('--runtime <name>', 'only those of this runtime')
    .option('--archived', 'only those that are archived, which are left out otherwise');
}

/** These options as the API takes them. */
export function threadQuery({
  state,
  label,
  workspace,
  runtime,
  archived,
}: ThreadFilterOptions): ThreadQuery {
  return {
    ...given({ state, label, runtime }),
    ...(workspace !== undefined && { workspace: realFolder(workspace) }),
    ...(archived && { archived: 'only' as const }),
  };
}

function toLabels(text: string, before: readonly string[] = []): readonly string[] {
  if (text === '' || text.startsWith('='))
    throw new InvalidArgumentError('Write a label as key or key=value.');
  return [...before, text];
}

// The worker knows folders by their real paths; one that is gone is taken as it is written.
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}
