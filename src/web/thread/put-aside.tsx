import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Thread } from '../../protocol/thread.js';
import { useConsole } from '../console-context.js';
import type { Control } from '../parts/use-control.js';
import { Only } from '../rights.js';

/** Puts a thread aside, takes it back, or removes it for good; what must not be lost is refused by the worker, with why. */
export function PutAside({
  thread,
  control,
}: {
  readonly thread: Thread;
  readonly control: Control;
}): ReactNode {
  const { navigation } = useConsole();
  const [isAsked, setAsked] = useState(false);
  const { id, archivedAt } = thread;
  const { act, isActing } = control;
  const isArchived = archivedAt !== undefined;
  const remove = async (threads: { remove(of: Thread['id']): Promise<unknown> }) => {
    setAsked(false);
    await threads.remove(id);
    navigation.go({ page: 'home' });
  };
  return (
    <>
      <button
        type="button"
        disabled={isActing}
        onClick={() => act(({ threads }) => threads.archive(id, isArchived ? { undo: true } : {}))}
      >
        {isArchived ? 'Take back from the archive' : 'Archive'}
      </button>
      <Only to="admin">
        <button type="button" className="danger" disabled={isActing} onClick={() => setAsked(true)}>
          Remove…
        </button>
      </Only>
      {isAsked && (
        <RemovalDialog
          hasWorktree={thread.workspace.worktree === true}
          onRemove={() => act(({ threads }) => remove(threads))}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

function RemovalDialog({
  hasWorktree,
  onRemove,
  onClose,
}: {
  readonly hasWorktree: boolean;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const what = hasWorktree ? 'What was said in it and its worktree are' : 'What was said in it is';
  return (
    <dialog ref={dialog} className="removal-dialog" aria-labelledby="removal-title" onClose={onClose}>
      <h2 id="removal-title">Remove this thread?</h2>
      <p>{what} removed for good. Work that is neither landed nor discarded is not removed.</p>
      <form
        className="answer-row"
        onSubmit={(event) => {
          event.preventDefault();
          onRemove();
        }}
      >
        <button type="submit" className="danger">
          Remove
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </form>
    </dialog>
  );
}
