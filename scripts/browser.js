// The browser of the tests, the pictures and the measurements: the one that npm brings, or the one that CHROME_PATH names.
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';

/**
 * Starts it with a home of its own.
 * @param {string} home
 */
export async function launchBrowser(home) {
  return await playwright.launch({
    executablePath: process.env['CHROME_PATH'] ?? (await chromium.executablePath()),
    // The package's own arguments switch security off, which is part of what is tested. Its sandbox needs another user than root.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: { ...process.env, HOME: home },
  });
}
