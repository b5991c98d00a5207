import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('../scripts/build.js', import.meta.url));

/** Tests drive the built programs, so what is built must be what is written. */
export default function setup(): void {
  execFileSync(process.execPath, [build], { stdio: 'inherit' });
}
