import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What the demo prints where there is no terminal; a key that is set makes no difference. */
export async function demoTranscript(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'handraise-readme-')));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['bin/handraise.js', 'demo'], {
      cwd: root,
      env: { ...process.env, ANTHROPIC_API_KEY: 'never-used', TMPDIR: folder, NO_COLOR: '1' },
    });
    return stdout;
  } finally {
    await rm(folder, { recursive: true, maxRetries: 5 });
  }
}

/** A transcript without what differs from run to run: times, the port, the name of the folder, the price. */
export function stable(transcript: string): string[] {
  return (
    transcript
      .trim()
      .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s|min)\b(?: \d+ s\b)?/g, 'TIME')
      .replaceAll(/\b(?<kind>thr|prm|dsp)_\w+/g, '$<kind>_ID')
      .replaceAll(/ {2,}/g, '  ')
      .replaceAll(/127\.0\.0\.1:\d+/g, 'ADDRESS')
      .replaceAll(/\/\S*\/handraise-demo-\w+/g, 'FOLDER')
      // How it is called from any folder, in a checkout and where it is installed.
      .replaceAll(/\bnode \/\S*\/bin\/handraise\.js/g, 'handraise')
      .replaceAll(/\$\d+\.\d+/g, 'PRICE')
      .split('\n')
  );
}
