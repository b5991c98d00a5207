// `npm run screenshots`: makes the pictures of docs/images with a real worker, a real agent and a scripted model.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { script, works } from './screenshots/scene.js';
import { openStage } from './screenshots/stage.js';

const folder = new URL('../docs/images/', import.meta.url).pathname;
const widths = {
  '': { width: 1400, height: 860 },
  'middle-': { width: 1000, height: 800 },
  'phone-': { width: 390, height: 780 },
};

mkdirSync(folder, { recursive: true });
const stage = await openStage({ script, env: { HANDRAISE_SLOTS: '2' } });
const { client } = stage;

try {
  const threads = await giveWork();
  // What an agent does now is told after a moment.
  await sleep(2000);
  await takePictures(threads.get('shop Make the checkout tests reliable') ?? '');
} finally {
  await stage[Symbol.asyncDispose]();
}

/** Gives every piece of work, one after the other; the threads by folder and title. */
async function giveWork() {
  /** @type {Map<string, string>} */
  const folders = new Map();
  /** @type {Map<string, string>} */
  const threads = new Map();
  for (const { title, text, folder: name, request = {} } of works) {
    if (name === '') continue;
    if (!folders.has(name)) folders.set(name, stage.project(name));
    const { workspace, ...rest } = /** @type {any} */ (request);
    const path = folders.get(name) ?? '';
    const dispatch = await client.dispatches.submit({
      text,
      title,
      workspace: { path, ...workspace },
      ...rest,
    });
    threads.set(`${name} ${title}`, dispatch.threadId);
    await settled(dispatch.threadId);
  }
  return threads;
}

/** @param {string} threadId */
async function takePictures(threadId) {
  /** @type {Record<string, { path: string, open?: (page: import('playwright-core').Page) => Promise<unknown> }>} */
  const places = {
    home: { path: '/', open: openRow },
    keys: { path: '/', open: openKeys },
    'new-work': { path: '/', open: openBox },
    inbox: { path: '/inbox' },
    thread: { path: `/threads/${threadId}` },
    fleet: {
      path: '/fleet',
      open: async (page) => await page.getByLabel('Period').selectOption('5 minutes'),
    },
    settings: { path: '/settings' },
  };
  const looks = Object.entries(widths).flatMap(([width, viewport]) =>
    /** @type {const} */ (['light', 'dark']).map((theme) => ({ name: `${width}${theme}`, theme, viewport })),
  );
  for (const { name, theme, viewport } of looks) {
    const page = await stage.page({
      colorScheme: theme,
      viewport,
      deviceScaleFactor: name.startsWith('phone') ? 2 : 1,
    });
    for (const [place, { path, open }] of Object.entries(places)) {
      await page.goto(`${stage.url}${path}`);
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      await open?.(page);
      await sleep(1200);
      const file = join(folder, `${place}-${name}.png`);
      await page.screenshot({ path: file });
      console.log(`${place}-${name}.png ${Math.round(statSync(file).size / 1024)} kB`);
    }
    await page.context().close();
  }
}

/**
 * A question that is answered where it stands.
 * @param {import('playwright-core').Page} page
 */
async function openRow(page) {
  await page.getByRole('button', { name: 'Answer Word the page for missing orders' }).click();
  await page.locator('.row-answer[aria-busy="false"]').waitFor();
}

/**
 * The box for new work, with something in it.
 * @param {import('playwright-core').Page} page
 */
async function openBox(page) {
  await page.keyboard.press('n');
  await page.keyboard.type('Find out why the search page takes three seconds, and bring it under one.');
  await page.getByLabel('Folder').fill('~/projects/shop');
}

/**
 * Every key.
 * @param {import('playwright-core').Page} page
 */
async function openKeys(page) {
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
}

/**
 * Until the agent has done what it will do without a person.
 * @param {import('../dist/protocol/index.js').ThreadId} id
 */
async function settled(id) {
  for (let round = 0; round < 300; round += 1) {
    const thread = await client.threads.get(id);
    const { state } = thread.status;
    const isThere = state === 'question' || thread.lastDispatch?.state === 'ended';
    const isLong = state === 'busy' && (thread.activity ?? '').includes('tail -f');
    if (isThere || isLong || (thread.lastDispatch?.state === 'queued' && round > 20)) return;
    await sleep(100);
  }
}
