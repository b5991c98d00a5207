// What the console costs in a browser: first paint, opening a long thread, and a thread that streams. Printed, not judged.
import { setTimeout as sleep } from 'node:timers/promises';
import { machine, machineLine } from '../shared/machine.js';
import { median } from '../shared/median.js';
import { openStage } from './stage.js';

const rounds = 5;
const longThread = 50_000;
const streamSeconds = 10;
const perSecond = 1000;
const batchMs = 20;

const before = machine();
const stage = await openStage();
try {
  /** @type {string[][]} */
  const rows = [];
  rows.push(['first paint of the home page', await firstPaint(), 'under 1,000 ms']);
  const id = await stage.thread('Long work');
  for (let count = 0; count < longThread; count += 5000) await stage.append(id, 5000);
  rows.push([
    `a thread of ${longThread.toLocaleString('en')} events, opened`,
    await opening(id),
    'under 2,000 ms',
  ]);
  const quiet = await watched(id, async () => await sleep(streamSeconds * 1000));
  const busy = await watched(id, () => streaming(id));
  rows.push(
    [`blocking in ${streamSeconds} s, nothing streams`, `${quiet.blocking} ms`, ''],
    [
      `blocking in ${streamSeconds} s, ${perSecond.toLocaleString('en')} events/s`,
      `${busy.blocking} ms`,
      'under 500 ms',
    ],
    ['longest input delay, nothing streams', `${quiet.delay} ms`, ''],
    [`longest input delay, ${perSecond.toLocaleString('en')} events/s`, `${busy.delay} ms`, 'under 200 ms'],
    ['events shown at the end of the stream', busy.shown, ''],
  );
  console.log(`${machineLine(before)}, afterwards ${machine().load.join(' ')}\n`);
  console.log('| what | seen | aim |\n| --- | --- | --- |');
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
} finally {
  await stage[Symbol.asyncDispose]();
}

/** The first paint with content, in a browser that has nothing cached. */
async function firstPaint() {
  const seen = [];
  for (let round = 0; round < rounds; round += 1) {
    const page = await stage.page();
    await page.goto(stage.url);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    seen.push(
      Number(
        await page.evaluate(
          `new Promise((resolve) => new PerformanceObserver((list) => {
            for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime);
          }).observe({ type: 'paint', buffered: true }))`,
        ),
      ),
    );
    await page.context().close();
  }
  return words(seen);
}

/**
 * From the navigation until the newest line is on the screen.
 * @param {string} id
 */
async function opening(id) {
  const seen = [];
  for (let round = 0; round < rounds; round += 1) {
    const page = await stage.page();
    await page.goto(`${stage.url}/threads/${id}`, { waitUntil: 'commit' });
    const ready = await page.evaluate(`new Promise((resolve) => {
      const look = () => {
        const lines = [...document.querySelectorAll('[data-testid=timeline] .entry')];
        if (lines.some((line) => line.innerText.includes('${longThread}'))) resolve(performance.now());
        else requestAnimationFrame(look);
      };
      look();
    })`);
    seen.push(Number(ready));
    await page.context().close();
  }
  return words(seen);
}

/**
 * Watches a thread's page while something happens and a person types: how long its one thread was blocked, and how
 * long the keys waited.
 * @param {string} id
 * @param {() => Promise<void>} happening
 */
async function watched(id, happening) {
  const page = await stage.page();
  await page.goto(`${stage.url}/threads/${id}`);
  await page.locator('.entry').last().waitFor();
  await sleep(1000);
  await page.evaluate(`
    window.blocking = 0; window.delays = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.blocking += Math.max(0, duration - 50);
    }).observe({ type: 'longtask' });
    new PerformanceObserver((list) => {
      for (const { processingStart, startTime } of list.getEntries()) window.delays.push(processingStart - startTime);
    }).observe({ type: 'event', durationThreshold: 16 });
  `);
  const over = new AbortController();
  const typing = typed(page, over.signal);
  await happening();
  over.abort();
  await typing;
  const { blocking, delay } = /** @type {{ blocking: number, delay: number }} */ (
    await page.evaluate('({ blocking: window.blocking, delay: Math.max(0, ...window.delays) })')
  );
  await page.keyboard.press('Escape');
  await page.keyboard.press('l');
  const last = page.locator('.entry').last();
  const shown = (await last.innerText()).replaceAll(/\s+/g, ' ').slice(0, 60);
  await page.context().close();
  return { blocking: Math.round(blocking), delay: Math.round(delay), shown };
}

/**
 * @param {import('playwright-core').Page} page
 * @param {AbortSignal} signal
 */
async function typed(page, signal) {
  await page.getByLabel('Message to the agent').focus();
  while (!signal.aborted) {
    await page.keyboard.press('x');
    await sleep(150);
  }
}

/** @param {import('./stage.js').ThreadId} id */
async function streaming(id) {
  const start = performance.now();
  for (let sent = 0; sent < perSecond * streamSeconds; ) {
    const due = Math.floor(((performance.now() - start) / 1000) * perSecond);
    if (due > sent) await stage.append(id, due - sent);
    sent = Math.max(sent, due);
    await sleep(batchMs);
  }
}

/** @param {number[]} seen */
function words(seen) {
  return `${Math.round(median(seen))} ms (lowest ${Math.round(Math.min(...seen))})`;
}
