import * as z from 'zod';
import type { EventBody } from '../protocol/event.js';
import { given } from '../protocol/given.js';
import type { AskKind, Asks, TurnEnded } from '../runtimes/runtime.js';

/** What clients of the older runner write otherwise than we do: the names in attachments. */
const Attachment = z.looseObject({
  type: z.string().optional(),
  mimeType: z.string().optional(),
  base64Data: z.string().optional(),
  name: z.string().optional(),
  path: z.string().optional(),
});
const Message = z.looseObject({ type: z.literal('message'), attachments: z.array(z.unknown()) });

/** A command of such a client, in our names. */
export function chatmlCommand(line: unknown): unknown {
  const message = Message.safeParse(line);
  if (!message.success) return line;
  return { ...message.data, attachments: message.data.attachments.map(ownAttachment) };
}

/** The facts of a new session, with what such a client looks for beside ours. */
export function chatmlInit(init: EventBody<'init'>): EventBody<'init'> {
  const { commands = [], runtimeVersion } = init;
  return Object.assign(
    { ...init },
    { slashCommands: commands, ...given({ claudeCodeVersion: runtimeVersion }) },
  );
}

/** The end of a turn, the same. */
export function chatmlTurn(turn: TurnEnded): TurnEnded {
  const { result, told = {} } = turn;
  const summary = result.text ?? result.errors?.join(' ') ?? '';
  return { ...turn, result: Object.assign({ ...result }, { summary, ...given(told) }) };
}

/**
 * The older runner's `canUseTool` allowed whatever it was asked; questions and plans still wait for a person. What an MCP
 * server wants to have opened it never saw, and the SDK declined it.
 */
export function chatmlConsent<Kind extends AskKind>(
  kind: Kind,
  request: Asks[Kind]['request'],
): Asks[Kind]['reply'] | null {
  if (kind !== 'permission') return null;
  const approved = !('server' in request) || request.server === undefined;
  return { answered: true, approved, scope: 'once' };
}

function ownAttachment(raw: unknown): unknown {
  const read = Attachment.safeParse(raw);
  if (!read.success || read.data.base64Data === undefined) return raw;
  const { mimeType = '', base64Data, type, ...rest } = read.data;
  if (type === 'image' || mimeType.startsWith('image/'))
    return { ...rest, type: 'image', mediaType: mimeType, data: base64Data };
  const content = Buffer.from(base64Data, 'base64').toString('utf8');
  return { ...rest, type: 'file', path: rest.path ?? rest.name ?? 'attachment', content };
}
