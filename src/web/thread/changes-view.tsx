import { type ReactNode, useEffect, useState } from 'react';
import { plainLine } from '../../domain/plain-text.js';
import type { ThreadDiff } from '../../protocol/api.js';
import type { ThreadId } from '../../protocol/id.js';
import { useOutside } from '../outside.js';
import { DiffView } from '../parts/diff-view.js';
import { failureWords } from '../parts/failure-words.js';
import { filePatches } from './file-patch.js';

/** What the workspace holds that its base does not, file by file. */
export function ChangesView({ threadId }: { readonly threadId: ThreadId }): ReactNode {
  const { client } = useOutside();
  const [found, setFound] = useState<ThreadDiff | string>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    client.threads.diff(threadId).then(setFound, (error: unknown) => setFound(failureWords(error)));
  }, [client, threadId, round]);
  if (found === undefined) return <p className="loading">Loading…</p>;
  if (typeof found === 'string') return <p className="empty is-bad">{found}</p>;
  const patches = filePatches(found.patch);
  return (
    <div className="scroller changes">
      <p className="note">
        {found.files.length === 1 ? '1 file' : `${found.files.length} files`} against{' '}
        {plainLine(found.base.commit).slice(0, 10) || 'nothing'} ({plainLine(found.base.why)}){' '}
        <button type="button" className="plain" onClick={() => setRound(round + 1)}>
          Look again
        </button>
      </p>
      {found.notes.map((note) => (
        <p key={note} className="note">
          {plainLine(note)}
        </p>
      ))}
      {found.files.length === 0 && <p className="empty">Nothing has changed.</p>}
      {found.files.map(({ path, status, added, removed }) => (
        <details key={path} open={found.files.length <= 20}>
          <summary>
            <code>{plainLine(path)}</code> <span className="note">{plainLine(status)}</span>{' '}
            {added !== null && <span className="note-good">+{added}</span>}{' '}
            {removed !== null && <span className="note-bad">−{removed}</span>}
          </summary>
          <DiffView lines={patches.get(path) ?? []} most={2000} />
        </details>
      ))}
    </div>
  );
}
