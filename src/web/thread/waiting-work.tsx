import { type ReactNode, useState } from 'react';
import * as z from 'zod';
import { until } from '../../domain/words/age.js';
import { plainText } from '../../domain/words/plain-text.js';
import { queuedWords } from '../../domain/words/queued-words.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import { useNow } from '../clock.js';
import { useConsole } from '../console-context.js';
import { type Control, useControl } from '../parts/use-control.js';
import { forgetDraft, useDraft } from '../parts/use-draft.js';
import { Only } from '../rights.js';

/** What was said to the agent and has not begun, in its order; until it begins it can be changed and removed. */
export function WaitingWork({ work }: { readonly work: readonly Dispatch[] }): ReactNode {
  const control = useControl();
  const waiting = work.filter(({ state, attempts }) => state === 'queued' && attempts.length === 0);
  if (waiting.length === 0) return null;
  return (
    <section className="waiting" aria-labelledby="waiting-head">
      <h2 id="waiting-head">
        Waiting <span className="note">{waiting.length}</span>
      </h2>
      <ol>
        {waiting.map((dispatch) => (
          <li key={dispatch.id}>
            <WaitingMessage dispatch={dispatch} control={control} />
          </li>
        ))}
      </ol>
      <p role="alert" className="note is-bad">
        {control.failure}
      </p>
    </section>
  );
}

function WaitingMessage({
  dispatch,
  control,
}: {
  readonly dispatch: Dispatch;
  readonly control: Control;
}): ReactNode {
  const { id, text, notBefore, waitsFor } = dispatch;
  const now = useNow(useConsole().clock);
  const [isEditing, setEditing] = useState(false);
  const facts = [
    notBefore === undefined || waitsFor !== undefined ? '' : `starts ${until(notBefore, now)}`,
    queuedWords(dispatch, now),
  ].filter((fact) => fact !== '');
  if (isEditing) return <EditForm dispatch={dispatch} control={control} onDone={() => setEditing(false)} />;
  return (
    <div className="waiting-message">
      <p className="waiting-text">{plainText(text)}</p>
      {facts.length > 0 && <span className="note">{facts.join(' · ')}</span>}
      <Only to="dispatch">
        <button type="button" className="plain" disabled={control.isActing} onClick={() => setEditing(true)}>
          Edit
        </button>
        <button
          type="button"
          className="plain"
          disabled={control.isActing}
          onClick={() => control.act(({ dispatches }) => dispatches.cancel(id))}
        >
          Remove
        </button>
      </Only>
    </div>
  );
}

function EditForm({
  dispatch: { id, text },
  control,
  onDone,
}: {
  readonly dispatch: Dispatch;
  readonly control: Control;
  readonly onDone: () => void;
}): ReactNode {
  const name = `edit ${id}`;
  const [draft, setDraft] = useDraft(name, z.string(), text);
  const leave = () => {
    forgetDraft(name);
    onDone();
  };
  return (
    <form
      className="waiting-message"
      onSubmit={(event) => {
        event.preventDefault();
        control.act(async ({ dispatches }) => {
          await dispatches.edit(id, { text: draft });
          leave();
        });
      }}
    >
      <textarea
        rows={2}
        autoFocus
        aria-label="Waiting message"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
      <button type="submit" disabled={draft.trim() === '' || control.isActing}>
        Save
      </button>
      <button type="button" className="plain" onClick={leave}>
        Keep as it was
      </button>
    </form>
  );
}
