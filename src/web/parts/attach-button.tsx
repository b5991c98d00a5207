import './attach-button.css';
import { Paperclip } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { plainLine } from '../../domain/words/plain-text.js';
import type { Attachment } from '../../protocol/attachment.js';

/** Picks files to go with a message, and lists those that do; pictures are shown small. */
export function AttachButton({
  attachments,
  onAdd,
  onChange,
}: {
  readonly attachments: readonly Attachment[];
  readonly onAdd: (files: readonly File[]) => void;
  readonly onChange: (attachments: readonly Attachment[]) => void;
}): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <span className="attachments">
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          onAdd([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <button type="button" className="plain attach" onClick={() => picker.current?.click()}>
        <Paperclip size={16} /> <span className="attach-words">Attach files</span>
      </button>
      {attachments.map((attachment, index) => {
        const name = plainLine(attachment.name ?? 'file', { maxLength: 60 });
        return (
          <button
            key={`${index} ${name}`}
            type="button"
            className="chip attachment"
            aria-label={`Remove ${name}`}
            onClick={() => onChange(attachments.filter((_, place) => place !== index))}
          >
            {attachment.type === 'image' && <Thumbnail image={attachment} />}
            {name} <span aria-hidden="true">×</span>
          </button>
        );
      })}
    </span>
  );
}

/** A picture of this machine, which nobody else is told of. */
function Thumbnail({ image }: { readonly image: Extract<Attachment, { type: 'image' }> }): ReactNode {
  return <img className="thumbnail" src={`data:${image.mediaType};base64,${image.data}`} alt="" />;
}
