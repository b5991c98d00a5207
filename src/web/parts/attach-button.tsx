import { type ReactNode, useRef } from 'react';
import { plainLine } from '../../domain/words/plain-text.js';
import type { Attachment } from '../../protocol/attachment.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { attachmentOf } from './attachment-file.js';

/** Picks files to go with a message, and lists those that do. */
export function AttachButton({
  attachments,
  onChange,
  onFailure,
}: {
  readonly attachments: readonly Attachment[];
  readonly onChange: (attachments: readonly Attachment[]) => void;
  readonly onFailure: (words: string) => void;
}): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  const add = async (files: readonly File[]) => {
    try {
      onChange([...attachments, ...(await Promise.all(files.map(attachmentOf)))]);
    } catch (error) {
      onFailure(errorSentence(error));
    }
  };
  return (
    <span className="attachments">
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          void add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <button type="button" className="plain" onClick={() => picker.current?.click()}>
        Attach files
      </button>
      {attachments.map(({ name }, index) => (
        <button
          key={`${index} ${name}`}
          type="button"
          className="chip"
          aria-label={`Remove ${plainLine(name ?? 'file')}`}
          onClick={() => onChange(attachments.filter((_, place) => place !== index))}
        >
          {plainLine(name ?? 'file')} <span aria-hidden="true">×</span>
        </button>
      ))}
    </span>
  );
}
