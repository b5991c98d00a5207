// The browser of the tests, the pictures and the measurements: the one that npm brings, or the one that CHROME_PATH names.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium as playwright } from 'playwright-core';

const root = new URL('..', import.meta.url).pathname;
const cache = join(root, 'node_modules/.cache/handraise/browsers');

/**
 * Starts it with a home of its own.
 * @param {string} home
 */
export async function launchBrowser(home) {
  return await playwright.launch({
    executablePath: process.env['CHROME_PATH'] ?? join(unpackedBrowser(), 'chromium'),
    // The package's own arguments switch security off, which is part of what is tested. Its sandbox needs another user than root.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: { ...process.env, HOME: home },
    // Only a hang is ended, by the runner of the tests.
    timeout: 0,
  });
}

/**
 * The folder of the browser. Its package unpacks it file by file into the temporary folder, which all users of the machine
 * share, and whoever comes meanwhile starts half a browser; so it is unpacked aside once, and moved here in one step.
 */
function unpackedBrowser() {
  const manifest = readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8');
  const unpacked = join(cache, `chromium@${JSON.parse(manifest).version}`);
  if (existsSync(unpacked)) return unpacked;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, '.chromium-'));
  try {
    execFileSync(process.execPath, [join(root, 'scripts/unpack-browser.js')], {
      env: { ...process.env, TMPDIR: fresh },
      stdio: 'inherit',
    });
    renameSync(fresh, unpacked);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another run beside this one may have been faster.
    if (!existsSync(unpacked)) throw error;
  }
  return unpacked;
}
