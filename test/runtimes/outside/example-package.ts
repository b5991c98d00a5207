import { cpSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('../../../', import.meta.url).pathname;

/** The example in `examples/runtime` as `npm install -g .` leaves it: linked, with nothing around it from which it finds Handraise. */
export function linkedExample(): string {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'outside-'))), 'my-handraise-runtime');
  cpSync(join(root, 'examples/runtime'), folder, { recursive: true });
  return folder;
}

/** The example in a folder from which it finds Handraise, as in its own checkout. */
export function installedExample(): string {
  const folder = linkedExample();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/handraise'));
  return folder;
}

/** What MY_AGENT is in tests. */
export const exampleAgent: string = `${process.execPath} ${join(root, 'examples/runtime/scripted-agent.js')}`;
