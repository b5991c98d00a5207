import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../scripts/browser.js';

/** A real browser with a private home. */
export interface OpenedBrowser extends AsyncDisposable {
  readonly browser: Browser;
}

export async function openBrowser(): Promise<OpenedBrowser> {
  const home = await mkdtemp(join(tmpdir(), 'handraise-browser-'));
  const browser = await launchBrowser(home);
  return {
    browser,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
