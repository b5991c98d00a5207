import './dispatch.css';
import { type FormEvent, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useConsole } from '../console-context.js';
import { useConsoleSettings } from '../console-settings.js';
import { useKeys } from '../keys/use-keys.js';
import { loadedPart } from '../loaded-part.js';
import { Link } from '../parts/link.js';
import { useAttachments } from '../parts/use-attachments.js';
import { useDraft } from '../parts/use-draft.js';
import { onNewWorkWish } from './new-work-wish.js';
import type { Blank, SavedWork } from './saved-work.js';
import type { SentWork } from './send-work.js';
import { useRuntimes } from './use-runtimes.js';
import { noWords, usualChoices, type WorkChoices, type WorkForm, WorkWords } from './work-words.js';

// Most visits give no work.
const DispatchOptions = loadedPart(() => import('./dispatch-options.js'));

/** Where new work is given: one field, and what goes with it once that is filled in. */
export function DispatchBox(): ReactNode {
  const { client } = useConsole();
  const [words, setWords] = useDraft('new work', WorkWords, noWords);
  const [choices, setChoices] = useState(usualChoices);
  const form: WorkForm = { ...words, ...choices };
  const usual = useConsoleSettings()?.container;
  const [sent, setSent] = useState<SentWork>();
  const [isSending, setSending] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const reports = useRuntimes(isOpen);
  const field = useRef<HTMLTextAreaElement>(null);
  const textId = useId();
  useKeys({ n: () => field.current?.focus() });
  useEffect(() => onNewWorkWish(() => field.current?.focus()), []);

  const type = (fields: Partial<WorkWords>) => setWords({ ...words, ...fields });
  const choose = (fields: Partial<WorkChoices>) => setChoices({ ...choices, ...fields });
  const files = useAttachments({
    attachments: form.attachments,
    onChange: (attachments) => {
      choose({ attachments });
      setOpen(true);
    },
    onFailure: (failure) => setSent({ failure }),
  });
  const submit = async () => {
    if (isSending) return;
    setSending(true);
    const { sendWork } = await import('./send-work.js');
    const became = await sendWork(client, form, { reports, usual, hasBlanks: isSaved });
    setSending(false);
    setSent(became);
    if ('failure' in became) return;
    setSaved(false);
    type({ text: '' });
    choose({ attachments: [], times: undefined });
  };
  const take = ({ name: _name, text, folder, ...rest }: SavedWork, blank: Blank | undefined) => {
    setSaved(true);
    setWords({ text, folder: folder === '' ? words.folder : folder });
    choose(rest);
    // The blanks are filled in one after the other: the first is chosen, and what is typed takes its place.
    requestAnimationFrame(() => {
      field.current?.focus();
      if (blank) field.current?.setSelectionRange(blank.start, blank.end);
    });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };

  return (
    <form
      className={['dispatch-box', isOpen && 'is-open', files.isOver && 'is-drop-target']
        .filter(Boolean)
        .join(' ')}
      {...files.handlers}
      onSubmit={onSubmit}
      aria-label="New work"
    >
      <label className="unseen" htmlFor={textId}>
        Describe the work
      </label>
      <textarea
        id={textId}
        ref={field}
        rows={isOpen ? 3 : 1}
        placeholder="Describe the work"
        aria-keyshortcuts="n"
        value={form.text}
        onFocus={() => setOpen(true)}
        onChange={(event) => type({ text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
        }}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <DispatchOptions
            form={form}
            type={type}
            choose={choose}
            reports={reports}
            onTake={take}
            onAttach={files.add}
            onClose={() => setOpen(false)}
            isSending={isSending}
          />
        </Suspense>
      )}
      <p role="status" className={sent && 'failure' in sent ? 'note is-bad' : 'note'}>
        {sent && 'failure' in sent && sent.failure}
        {sent && 'threadId' in sent && (
          <>
            Queued. <Link to={{ page: 'thread', threadId: sent.threadId }}>Open the thread</Link>
          </>
        )}
        {sent && 'schedule' in sent && (
          <>
            Added {sent.schedule}. <Link to={{ page: 'schedules' }}>Open schedules</Link>
          </>
        )}
      </p>
    </form>
  );
}
