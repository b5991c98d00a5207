import './kept-menu.css';
import { type ReactNode, useState } from 'react';
import { Disclosure } from './disclosure.js';
import type { KeptByName } from './kept-by-name.js';

/** What is kept in this browser under names: taken up again, kept, and forgotten. */
export function KeptMenu<Kept extends { readonly name: string }>({
  label,
  kept,
  note,
  keepWords,
  current,
  onTake,
}: {
  readonly label: string;
  readonly kept: KeptByName<Kept>;
  readonly note: string;
  readonly keepWords: string;
  /** What would be kept under a name now, or why nothing would. */
  readonly current: (name: string) => Kept | string;
  readonly onTake: (kept: Kept) => void;
}): ReactNode {
  const [all, setAll] = useState(() => kept.all(localStorage));
  const [name, setName] = useState('');
  const [said, setSaid] = useState('');
  const keep = () => {
    if (name.trim() === '') return setSaid('Give it a name first.');
    const next = current(name.trim());
    if (typeof next === 'string') return setSaid(next);
    const isKept = kept.keep(localStorage, next);
    setSaid(isKept ? `Kept ${next.name}.` : 'Not kept: the name is too long, or there is no room.');
    if (!isKept) return undefined;
    setAll(kept.all(localStorage));
    return setName('');
  };
  return (
    <Disclosure label={label} sign={label} side="left">
      <div className="kept-menu">
        {all.length > 0 && (
          <ul aria-label={label}>
            {all.map((each) => (
              <li key={each.name}>
                <button type="button" className="plain" onClick={() => onTake(each)}>
                  {each.name}
                </button>
                <button
                  type="button"
                  className="plain"
                  aria-label={`Forget ${each.name}`}
                  onClick={() => {
                    kept.forget(localStorage, each.name);
                    setAll(kept.all(localStorage));
                  }}
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
        )}
        <label>
          Name
          <input
            value={name}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              keep();
            }}
          />
        </label>
        <button type="button" onClick={keep}>
          {keepWords}
        </button>
        <p className="note" role="status">
          {said || note}
        </p>
      </div>
    </Disclosure>
  );
}
