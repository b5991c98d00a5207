import { useCallback, useState } from 'react';

/** The openings of one dialog. Use `opening` as its key: a browser reports later that a dialog was closed, and that report must not close the dialog that was opened since. */
export function useOpenings(): {
  readonly opening: number | undefined;
  readonly open: () => void;
  readonly closed: (opening: number) => void;
} {
  const [{ last, isOpen }, setOpenings] = useState({ last: 0, isOpen: false });
  const open = useCallback(() => setOpenings((before) => ({ last: before.last + 1, isOpen: true })), []);
  const closed = useCallback(
    (opening: number) =>
      setOpenings((before) => (before.last === opening ? { ...before, isOpen: false } : before)),
    [],
  );
  return { opening: isOpen ? last : undefined, open, closed };
}
