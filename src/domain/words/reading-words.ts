/** What has not been on the screen of what is to be approved; nothing when all of it was. */
export function unreadWords({ unseen, total }: { readonly unseen: number; readonly total: number }): string {
  if (unseen === 0) return '';
  if (total === 1) return 'The end has not been on the screen yet.';
  const lines = total.toLocaleString('en-US');
  return unseen === 1
    ? `1 of ${lines} lines has not been on the screen yet.`
    : `${unseen.toLocaleString('en-US')} of ${lines} lines have not been on the screen yet.`;
}
