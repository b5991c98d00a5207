import { errorSentence } from '../../protocol/error-sentence.js';
import './dispatch.css';
import { type FormEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { RuntimeReport } from '../../protocol/api.js';
import type { ThreadId } from '../../protocol/id.js';
import { keysOf } from '../../protocol/keys.js';
import { useConsole } from '../console-context.js';
import { useKeys } from '../keys/use-keys.js';
import { useOverview } from '../overview/use-overview.js';
import { AttachButton } from '../parts/attach-button.js';
import { Link } from '../parts/link.js';
import { useDraft } from '../parts/use-draft.js';
import {
  type Freedom,
  freedoms,
  noWords,
  requestOf,
  usualChoices,
  type WorkChoices,
  type WorkForm,
  WorkWords,
} from './work-form.js';

type Sent = { readonly threadId: ThreadId } | { readonly failure: string } | undefined;

/** Where new work is given: one field, and what goes with it once that is filled in. */
export function DispatchBox(): ReactNode {
  const { client, overview: store } = useConsole();
  const { threads } = useOverview(store);
  const [words, setWords] = useDraft('new work', WorkWords, noWords);
  const [choices, setChoices] = useState(usualChoices);
  const form: WorkForm = { ...words, ...choices };
  const [sent, setSent] = useState<Sent>();
  const [isSending, setSending] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [runtimes, setRuntimes] = useState<readonly RuntimeReport[]>([]);
  const field = useRef<HTMLTextAreaElement>(null);
  const ids = { folders: useId(), text: useId() };
  const folders = useMemo(
    () => [...new Set(Array.from(threads.values(), ({ workspace }) => workspace.path))].slice(0, 50),
    [threads],
  );
  useKeys({ n: () => field.current?.focus() });
  useEffect(() => {
    if (!isOpen) return;
    client.runtimes().then(setRuntimes, () => {});
  }, [client, isOpen]);

  const type = (fields: Partial<WorkWords>) => setWords({ ...words, ...fields });
  const choose = (fields: Partial<WorkChoices>) => setChoices({ ...choices, ...fields });
  const submit = async () => {
    const request = requestOf(form);
    if ('missing' in request) return setSent({ failure: request.missing });
    setSending(true);
    try {
      const { threadId } = await client.dispatches.submit(request);
      setSent({ threadId });
      type({ text: '' });
      choose({ attachments: [] });
    } catch (error) {
      setSent({ failure: errorSentence(error) });
    } finally {
      setSending(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };

  return (
    <form
      className={isOpen ? 'dispatch-box is-open' : 'dispatch-box'}
      onSubmit={onSubmit}
      aria-label="New work"
    >
      <label className="unseen" htmlFor={ids.text}>
        Describe the work
      </label>
      <textarea
        id={ids.text}
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
        <div className="dispatch-options">
          <label className="wide">
            Folder
            <input
              list={ids.folders}
              value={form.folder}
              placeholder="/path/to/the/project"
              onChange={(event) => type({ folder: event.target.value })}
            />
            <datalist id={ids.folders}>
              {folders.map((path) => (
                <option key={path} value={path} />
              ))}
            </datalist>
          </label>
          <label>
            Runtime
            <select value={form.runtime} onChange={(event) => choose({ runtime: event.target.value })}>
              {runtimesShown(runtimes).map(({ name, found, version }) => (
                <option key={name} value={name} disabled={!found}>
                  {name}
                  {version === undefined ? '' : ` ${version}`}
                  {found ? '' : ' (not installed)'}
                </option>
              ))}
            </select>
          </label>
          <label>
            Permissions
            <select
              value={form.freedom}
              onChange={(event) => choose({ freedom: freedomOf(event.target.value) })}
            >
              {Object.entries(freedoms).map(([name, { words }]) => (
                <option key={name} value={name}>
                  {words}
                </option>
              ))}
            </select>
          </label>
          <label>
            Model
            <input
              value={form.model}
              placeholder="default model"
              onChange={(event) => choose({ model: event.target.value })}
            />
          </label>
          <label className="check">
            <input
              type="checkbox"
              checked={form.worktree}
              onChange={(event) => choose({ worktree: event.target.checked })}
            />
            Use a separate git worktree
          </label>
          <AttachButton
            attachments={form.attachments}
            onChange={(attachments) => choose({ attachments })}
            onFailure={(failure) => setSent({ failure })}
          />
          <span className="dispatch-send">
            <button type="button" className="plain" onClick={() => setOpen(false)}>
              Close
            </button>
            <button type="submit" className="primary" disabled={isSending}>
              {isSending ? 'Sending…' : 'Start'}
            </button>
          </span>
        </div>
      )}
      <p role="status" className={sent && 'failure' in sent ? 'note is-bad' : 'note'}>
        {sent && 'failure' in sent && sent.failure}
        {sent && 'threadId' in sent && (
          <>
            Queued. <Link to={{ page: 'thread', threadId: sent.threadId }}>Open the thread</Link>
          </>
        )}
      </p>
    </form>
  );
}

function runtimesShown(reports: readonly RuntimeReport[]) {
  return reports.length > 0 ? reports : [{ name: 'claude', found: true, version: undefined }];
}

function freedomOf(value: string): Freedom {
  return keysOf(freedoms).find((freedom) => freedom === value) ?? 'ask';
}
