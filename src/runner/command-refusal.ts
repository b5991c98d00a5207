import { cutText } from '../protocol/cut-text.js';
import type { EventBody } from '../protocol/event.js';
import { given } from '../protocol/given.js';
import { stringField } from '../protocol/string-field.js';
import type { Runtime, RuntimeSession } from '../runtimes/runtime.js';

/** What is said of a line that is refused before it is read as a command. */
export function unreadCommand(line: unknown, error: string): EventBody<'command_error'> {
  const type = stringField(line, 'type');
  const commandId = stringField(line, 'commandId');
  return {
    type: 'command_error',
    command: type === undefined ? null : cutText(type, 100),
    error,
    ...(commandId === undefined ? {} : { commandId: cutText(commandId, 100) }),
  };
}

/** What is said of a command that is not carried out. */
export function refusedCommand(
  command: { readonly type: string; readonly commandId?: string | undefined },
  error: string,
  more: { readonly requestId?: string | undefined; readonly later?: true },
): EventBody<'command_error'> {
  const { commandId } = command;
  return { type: 'command_error', command: command.type, error, ...given(more), ...given({ commandId }) };
}

/** Why an agent cannot be told to change something about itself, or null. */
export function whyNotControlled(
  { type }: Parameters<RuntimeSession['control']>[0],
  {
    runtime,
    isInTurn,
  }: { readonly runtime: Pick<Runtime, 'name' | 'capabilities'>; readonly isInTurn: boolean },
): string | null {
  if (!runtime.capabilities.commands.includes(type)) return `The runtime ${runtime.name} cannot do this.`;
  if (type === 'rewind_files' && isInTurn)
    return 'Files are rewound between turns; interrupt this one first.';
  return null;
}
