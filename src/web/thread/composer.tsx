import { type ReactNode, useRef, useState } from 'react';
import * as z from 'zod';
import { actorWords } from '../../domain/words/actor-words.js';
import type { Attachment } from '../../protocol/attachment.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { Thread } from '../../protocol/thread.js';
import { useConsole } from '../console-context.js';
import { useKeys } from '../keys/use-keys.js';
import { AttachButton } from '../parts/attach-button.js';
import { useAttachments } from '../parts/use-attachments.js';
import { useDraft } from '../parts/use-draft.js';

/** Where a person writes to the agent; while it asks, what is written here waits and answers nothing. */
export function Composer({
  thread,
  isAsking,
}: {
  readonly thread: Thread;
  readonly isAsking: boolean;
}): ReactNode {
  const { client } = useConsole();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraft(`message ${thread.id}`, z.string(), '');
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const files = useAttachments({ attachments, onChange: setAttachments, onFailure: setFailure });
  useKeys({ r: () => field.current?.focus() });

  const send = async () => {
    if (text.trim() === '' || isSending) return;
    setSending(true);
    setFailure(undefined);
    try {
      await client.threads.post(thread.id, {
        content: [{ type: 'text', text }],
        ...(attachments.length > 0 && { attachments: [...attachments] }),
        metadata: { queue: true },
      });
      setText('');
      setAttachments([]);
    } catch (error) {
      setFailure(errorSentence(error));
    } finally {
      setSending(false);
    }
  };
  return (
    <form
      className={files.isOver ? 'composer is-drop-target' : 'composer'}
      {...files.handlers}
      aria-label="Message"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={field}
        rows={2}
        aria-label="Message to the agent"
        aria-keyshortcuts="r"
        placeholder={placeholder(thread, isAsking)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      <div className="answer-row">
        <AttachButton attachments={attachments} onAdd={files.add} onChange={setAttachments} />
        <button type="submit" className="primary" disabled={text.trim() === '' || isSending}>
          Send
        </button>
      </div>
      <p role="alert" className="note is-bad">
        {failure}
      </p>
    </form>
  );
}

function placeholder({ terminal }: Thread, isAsking: boolean): string {
  if (terminal)
    return `Write a message for later (the thread is open in a terminal of ${actorWords(terminal.openedBy)})`;
  return isAsking ? 'Write a message for later (answer the question above)' : 'Write to the agent';
}
