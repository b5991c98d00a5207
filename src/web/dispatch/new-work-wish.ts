const wished = 'handraise-new-work';

/** Asks the box for new work to take the focus: at once where it is shown, and otherwise as soon as it is. */
export function newWorkSoon(): void {
  isWished = true;
  dispatchEvent(new Event(wished));
}

let isWished = false;

/** Calls when somebody wishes to give work, also for a wish that was there before. */
export function onNewWorkWish(begin: () => void): () => void {
  const take = () => {
    if (!isWished) return;
    isWished = false;
    begin();
  };
  addEventListener(wished, take);
  take();
  return () => removeEventListener(wished, take);
}
