import type { ReactNode } from 'react';
import { keepSingleKeys, useSingleKeys } from '../keys/single-keys.js';

/** Who dictates, or rests a hand on the keyboard, wants no letter to approve anything. */
export function KeysSection(): ReactNode {
  const isOn = useSingleKeys();
  return (
    <section aria-labelledby="keys">
      <h2 id="keys">Keyboard</h2>
      <p>
        <label className="settings-choice">
          <input type="checkbox" checked={isOn} onChange={(event) => keepSingleKeys(event.target.checked)} />{' '}
          Single keys, such as <kbd>y</kbd> to approve
        </label>
      </p>
      <p className="note">
        Without them Tab, Enter, Escape and Ctrl K (⌘ K) still work. This browser keeps the choice.
      </p>
    </section>
  );
}
