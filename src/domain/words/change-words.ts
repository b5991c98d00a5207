import type { ChangedPath, ChangePage } from '../../protocol/changes.js';

/** How much changed, in few words: `3 files, +40 −12`. */
export function changeTotals({ files, added, removed }: ChangePage['totals']): string {
  return `${files} ${files === 1 ? 'file' : 'files'}, +${added} −${removed}`;
}

/** What happened to one file, where its lines do not say it. */
export function changeRemarks({ status, from, binary, mode, kind }: ChangedPath): string[] {
  return [
    ...(status === 'added' ? ['new'] : []),
    ...(status === 'deleted' ? ['deleted'] : []),
    ...(from === undefined ? [] : [`renamed from ${from}`]),
    ...(kind === 'file' ? [] : [kind]),
    ...(binary ? ['binary'] : []),
    ...(mode ? [modeWords(mode)] : []),
  ];
}

function modeWords({ before, after }: { readonly before: string; readonly after: string }): string {
  if (before === '100644' && after === '100755') return 'may be executed now';
  if (before === '100755' && after === '100644') return 'may not be executed any more';
  return `mode ${before} → ${after}`;
}
