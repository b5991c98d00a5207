import { type ReactNode, useEffect, useRef } from 'react';

/** The details over the page, where they have no pane of their own. */
export function DetailsDrawer({
  onClose,
  children,
}: {
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="details-drawer" aria-label="Details" onClose={onClose}>
      <form method="dialog" className="drawer-head">
        <button type="submit">Close</button>
      </form>
      {children}
    </dialog>
  );
}
