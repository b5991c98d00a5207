import { type ClipboardEvent, type DragEvent, useState } from 'react';
import type { Attachment } from '../../protocol/attachment.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { attachmentOf } from './attachment-file.js';

export interface AttachedFiles {
  readonly attachments: readonly Attachment[];
  readonly onChange: (attachments: readonly Attachment[]) => void;
  readonly onFailure: (words: string) => void;
}

/** What a form does with files that are picked, pasted into it or dropped on it. */
export interface FileTarget {
  readonly isOver: boolean;
  readonly add: (files: readonly File[]) => void;
  readonly handlers: {
    readonly onPaste: (event: ClipboardEvent) => void;
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: (event: DragEvent) => void;
    readonly onDrop: (event: DragEvent) => void;
  };
}

export function useAttachments({ attachments, onChange, onFailure }: AttachedFiles): FileTarget {
  const [isOver, setOver] = useState(false);
  const add = (files: readonly File[]) => {
    const read = async () => {
      try {
        onChange([...attachments, ...(await Promise.all(files.map(attachmentOf)))]);
      } catch (error) {
        onFailure(errorSentence(error));
      }
    };
    if (files.length > 0) void read();
  };
  return {
    isOver,
    add,
    handlers: {
      onPaste: ({ clipboardData }) => {
        const files = [...clipboardData.files];
        // Text stays what it is, also where its pictures come along.
        if (files.length === 0 || clipboardData.types.includes('text/plain')) return;
        add(files);
      },
      onDragOver: (event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: ({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      },
      onDrop: (event) => {
        setOver(false);
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        add([...event.dataTransfer.files]);
      },
    },
  };
}
