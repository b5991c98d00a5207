import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('../scripts/build.js', import.meta.url));

/** Before the first test file; what it gives is called after the last. */
export default function setup(): () => void {
  // Tests drive the built programs, so what is built must be what is written.
  execFileSync(process.execPath, [build], { stdio: 'inherit' });

  // A runtime that is installed on demand still comes from where the user's npm gets its packages.
  process.env['npm_config_cache'] ??= join(homedir(), '.npm');
  process.env['npm_config_userconfig'] ??= join(homedir(), '.npmrc');

  // The places of test files (harness/private-places.ts) are in here. The name is short: Claude Code falls back to the
  // shared /tmp where the path of its socket passes 103 bytes.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hr-')));
  process.env['TEST_RUN_FOLDER'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
