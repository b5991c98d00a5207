import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** A real browser with a private home. */
export interface OpenedBrowser extends AsyncDisposable {
  readonly browser: Browser;
}

export async function openBrowser(): Promise<OpenedBrowser> {
  const home = await mkdtemp(join(tmpdir(), 'handraise-browser-'));
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    // The package's own arguments switch security off, which is what is tested here. Its sandbox needs another user than root.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: { ...process.env, HOME: home },
    headless: true,
  });
  return {
    browser,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
