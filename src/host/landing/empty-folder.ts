import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Does something in a folder that holds nothing, and leaves nothing of it behind. */
export async function inEmptyFolder<Result>(
  { scratch }: { readonly scratch: string },
  act: (folder: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(scratch, 'request-'));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
