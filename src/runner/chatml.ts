import * as z from 'zod';
import { attachedImage } from '../protocol/attachment.js';
import type { Command } from '../protocol/command.js';
import type { EventBody } from '../protocol/event.js';
import { given } from '../protocol/given.js';
import type { AskKind, Asks, TurnEnded } from '../runtimes/runtime.js';

/** What clients of the older runner write otherwise than we do: the names in attachments, and how a question is closed. */
const Attachment = z.looseObject({
  type: z.string().optional(),
  mimeType: z.string().optional(),
  base64Data: z.string().optional(),
  content: z.string().optional(),
  data: z.string().optional(),
  name: z.string().optional(),
  path: z.string().optional(),
});
const Message = z.looseObject({ type: z.literal('message'), attachments: z.array(z.unknown()) });
const ClosedQuestion = z.object({
  type: z.literal('user_question_response'),
  questionRequestId: z.string().min(1),
  answers: z.looseObject({ __cancelled: z.literal('true') }),
});

/** A command of such a client, in our names. */
export function chatmlCommand(line: unknown): unknown {
  const closed = ClosedQuestion.safeParse(line);
  if (closed.success) return withdrawal(closed.data.questionRequestId);
  const message = Message.safeParse(line);
  if (!message.success) return line;
  return { ...message.data, attachments: message.data.attachments.map(ownAttachment) };
}

function withdrawal(requestId: string): Command<'withdraw'> {
  return { type: 'withdraw', requestId, reason: 'The user closed the question.', byPerson: true };
}

/**
 * The facts of a new session, with what such a client looks for beside ours. Not under our name `commands`: the older runner
 * has objects there, in another event, and a client that reads all events with one type would lose this one.
 */
export function chatmlInit({ commands, ...init }: EventBody<'init'>): EventBody<'init'> {
  const { runtimeVersion } = init;
  return Object.assign(init, {
    slashCommands: commands ?? [],
    ...given({ claudeCodeVersion: runtimeVersion }),
  });
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

const images: readonly string[] = attachedImage.mediaType.options;

/** What cannot be handed over is said in its place: the message that it came with is worth more than a refusal. */
function ownAttachment(raw: unknown): unknown {
  const read = Attachment.safeParse(raw);
  if (!read.success || read.data.content !== undefined || read.data.data !== undefined) return raw;
  const { mimeType = '', base64Data = '', type, ...rest } = read.data;
  if (images.includes(mimeType) && base64Data !== '')
    return { ...rest, type: 'image', mediaType: mimeType, data: base64Data };
  const isText = type !== 'image' || mimeType === 'image/svg+xml';
  const content = isText && base64Data !== '' ? Buffer.from(base64Data, 'base64').toString('utf8') : null;
  const path = rest.path ?? rest.name ?? 'attachment';
  return { ...rest, type: 'file', path, content: content ?? '(Its contents could not be handed over.)' };
}
