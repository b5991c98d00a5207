import './key-help.css';
import { type ReactNode, useEffect, useRef } from 'react';
import { keyTable } from '../keys/key-table.js';
import { hasSingleKeys } from '../keys/single-keys.js';

/** The overlay that lists every key. */
export default function KeyHelp({
  opening,
  onClosed,
}: {
  readonly opening: number;
  readonly onClosed: (opening: number) => void;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="key-help" aria-labelledby="key-help" onClose={() => onClosed(opening)}>
      <form method="dialog" className="key-help-head">
        <h2 id="key-help">Keyboard shortcuts</h2>
        <button type="submit">Close</button>
      </form>
      {!hasSingleKeys() && <p className="note">Single keys are switched off in the settings.</p>}
      <div className="key-columns">
        {keyTable.map(({ where, keys }) => (
          <section key={where}>
            <h3>{where}</h3>
            <dl>
              {keys.map(({ shown, words }) => (
                <div key={shown}>
                  <dt>
                    <kbd>{shown}</kbd>
                  </dt>
                  <dd>{words}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </dialog>
  );
}
