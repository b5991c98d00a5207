import { type ReactNode, useEffect, useState } from 'react';

const shownMs = 2000;

/** Copies a text; what it could not do it says. */
export function CopyButton({
  label = 'Copy',
  text,
}: {
  readonly label?: string;
  /** The text, read when it is wanted. */
  readonly text: () => string | Promise<string>;
}): ReactNode {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => setSaid(''), shownMs);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      setSaid('Copied');
    } catch {
      // A page without https on another machine has no clipboard.
      setSaid('Could not copy');
    }
  };
  return (
    <>
      <button type="button" className="plain" onClick={() => void copy()}>
        {label}
      </button>
      <span role="status" className="note">
        {said}
      </span>
    </>
  );
}
