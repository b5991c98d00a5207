import type { ThreadDiff } from '../../protocol/api.js';
import { Failure } from '../../protocol/failure.js';
import type { ChangeReader, WorkPlace } from './change-reader.js';

// What a browser still shows without effort.
const MAX_PATCH = 1_000_000;

/** The changes of a thread as one patch; where there is nothing to compare it is empty, with a note. */
export async function threadDiff(place: WorkPlace, reader: ChangeReader): Promise<ThreadDiff> {
  try {
    const { page, text, isCut } = await reader.patch(place, MAX_PATCH);
    const { base, files, notes, totals } = page;
    return {
      base,
      files: files.map(({ path, status, added, removed }) => ({ path, status, added, removed })),
      patch: text,
      notes: [
        ...notes,
        ...(files.length < totals.files
          ? [`The list is cut at ${files.length} of ${totals.files} files.`]
          : []),
        ...(isCut ? [`The patch is cut at ${MAX_PATCH} characters.`] : []),
      ],
    };
  } catch (error) {
    if (!(error instanceof Failure) || (error.code !== 'missing_file' && error.code !== 'conflict'))
      throw error;
    return { base: { commit: '', why: 'nothing' }, files: [], patch: '', notes: [error.message] };
  }
}
