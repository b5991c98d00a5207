import { attachedFile } from '../attached-file.js';
import type { TurnInput } from '../runtime.js';

/** A message with its attachments as OpenCode takes it. */
export function promptParts(turn: TurnInput): object[] {
  const attached = turn.attachments.map((attachment) =>
    attachment.type === 'image'
      ? {
          type: 'file',
          mime: attachment.mediaType,
          filename: 'image',
          url: `data:${attachment.mediaType};base64,${attachment.data}`,
        }
      : { type: 'text', text: attachedFile(attachment) },
  );
  return [...attached, { type: 'text', text: turn.content }];
}
