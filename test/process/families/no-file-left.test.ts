import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const table = new URL('../../../dist/process/families/process-table.js', import.meta.url).href;
const program = `
  import { openSync } from 'node:fs';
  const { readProcess, findProcess } = await import(${JSON.stringify(table)});
  const { identity } = readProcess(process.pid);
  try { for (;;) openSync('/dev/null'); } catch {}
  try { process.stdout.write(String(findProcess(identity))); } catch (error) { process.stdout.write(error.code); }
`;

test.runIf(process.platform === 'linux')(
  'CWE-703: with no file left to open nobody is taken for dead',
  () => {
    const command = 'ulimit -n 100; exec "$0" --input-type=module -e "$1"';
    const { stdout } = spawnSync('sh', ['-c', command, process.execPath, program], { encoding: 'utf8' });
    expect(stdout).toBe('EMFILE');
  },
);
