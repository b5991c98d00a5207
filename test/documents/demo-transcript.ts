import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What the demo prints where there is no terminal and no API key. */
export async function demoTranscript(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'handraise-readme-')));
  const { ANTHROPIC_API_KEY: _, ...env } = process.env;
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['examples/demo.js'], {
      cwd: root,
      env: { ...env, TMPDIR: folder, NO_COLOR: '1' },
    });
    return stdout;
  } finally {
    await rm(folder, { recursive: true, maxRetries: 5 });
  }
}

/** A transcript without what differs from run to run: times, the port, the name of the folder, the price. */
export function stable(transcript: string): string[] {
  return transcript
    .trim()
    .replaceAll(/\b\d+(?:\.\d+)?m?s\b/g, 'TIME')
    .replaceAll(/\b(?<kind>thr|prm|dsp)_\w+/g, '$<kind>_ID')
    .replaceAll(/ {2,}/g, '  ')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'ADDRESS')
    .replaceAll(/\/\S*\/handraise-demo-\w+/g, 'FOLDER')
    .replaceAll(/\$\d+\.\d+/g, 'PRICE')
    .split('\n');
}
