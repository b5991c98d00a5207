// @module-tag full
import type { BrowserContext, Page, Worker } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PushMessage } from '../../src/protocol/push.js';
import { eventually, waitUntil } from '../harness/wait-until.js';
import { ConsoleStage, steady } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open();
});
afterEach(async () => await at.closePages());
afterAll(async () => await at[Symbol.asyncDispose]());

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The service worker of a page; what it would show is written down, because this browser shows no notifications. */
async function serviceWorkerOf(page: Page): Promise<Worker> {
  const context: BrowserContext = page.context();
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await worker.evaluate(() => {
    const scope = globalThis as unknown as {
      shown: object[];
      registration: { showNotification: (title: string, options: object) => Promise<void> };
    };
    scope.shown = [];
    scope.registration.showNotification = async (title, options) => {
      scope.shown.push({ title, ...options });
    };
  });
  // As it is when this device was subscribed.
  await page.evaluate(async () => {
    const secret = localStorage.getItem('handraise-sign-in') ?? '';
    await (await caches.open('handraise-push')).put('/push-secret', new Response(secret));
  });
  return worker;
}

/** Delivers a message as a push service would. */
async function push(page: Page, message: PushMessage): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const registrations: string[] = [];
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: found }) => {
    registrations.push(...found.map(({ registrationId }) => registrationId));
  });
  await devtools.send('ServiceWorker.enable');
  await waitUntil('the service worker is registered', () => registrations.length > 0);
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(at.url).origin,
    registrationId: registrations[0] ?? '',
    data: JSON.stringify(message),
  });
}

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly actions?: readonly { readonly action: string; readonly title: string }[];
  readonly data: object;
}

async function shownIn(worker: Worker, count: number): Promise<Shown[]> {
  return await eventually(
    `${count} notifications are shown`,
    () => worker.evaluate(() => (globalThis as unknown as { shown: Shown[] }).shown),
    (shown) => shown.length >= count,
  );
}

/** Presses an action of a notification. */
async function press(worker: Worker, action: string, { data }: Shown): Promise<void> {
  await worker.evaluate(
    ([pressed, about]) => {
      const event = new Event('notificationclick');
      Object.assign(event, {
        action: pressed,
        notification: { data: about, close: () => {} },
        waitUntil: () => {},
      });
      dispatchEvent(event);
    },
    [action, data] as const,
  );
}

const message = (promptId: string, more: Partial<PushMessage>): PushMessage => ({
  version: 1,
  title: 'Question: Order page',
  body: '',
  tag: `asked-${promptId}`,
  path: `/#prompt=${promptId}`,
  promptId,
  options: [],
  canDeny: false,
  ...more,
});

test('a push is shown with its options, and pressing one answers while no page is needed', async () => {
  const { threadId } = await at.work('[[ask Which layout? | One | Two]]');
  const prompt = await at.asked(threadId);
  const page = await at.page('/', phone);
  const worker = await serviceWorkerOf(page);
  await push(page, message(prompt.id, { options: ['One', 'Two'] }));
  const [shown] = await shownIn(worker, 1);
  if (!shown) throw new Error('Nothing is shown.');
  expect(shown.actions?.map(({ title }) => title)).toEqual(['One', 'Two']);
  await press(worker, 'option1', shown);
  const answered = await at.prompt(prompt.id, ({ acceptedAt }) => acceptedAt !== undefined);
  expect([answered.answers, answered.actor]).toEqual([
    [{ question: 'Which layout?', answer: ['Two'] }],
    'user:owner',
  ]);
  // A second press comes too late, and says so.
  await press(worker, 'option0', shown);
  const [, late] = await shownIn(worker, 2);
  expect(late).toMatchObject({ title: 'Not answered', body: 'It was answered already. Open it to answer.' });
});

test('an approval is denied from a notification, and approved from none', async () => {
  const { threadId } = await at.work(`[[tool Bash {"command":"touch a"}]] [[next]] [[text Done.]]`);
  const prompt = await at.asked(threadId);
  const page = await at.page('/', phone);
  const worker = await serviceWorkerOf(page);
  await push(page, message(prompt.id, { title: 'Approval: a', canDeny: true }));
  const [shown] = await shownIn(worker, 1);
  if (!shown) throw new Error('Nothing is shown.');
  expect(shown.actions?.map(({ action }) => action)).toEqual(['open', 'deny']);
  // Whatever a message claims: an option that is called so is no approval.
  await push(page, message(prompt.id, { options: ['Approve'], tag: 'forged' }));
  const [, forged] = await shownIn(worker, 2);
  if (!forged) throw new Error('Nothing is shown.');
  await press(worker, 'option0', forged);
  const [, , refused] = await shownIn(worker, 3);
  expect(refused).toMatchObject({ body: 'It asks something else by now. Open it to answer.' });
  expect((await at.client.prompts.get(prompt.id)).acceptedAt).toBeUndefined();
  await press(worker, 'deny', shown);
  const denied = await at.prompt(prompt.id, ({ acceptedAt }) => acceptedAt !== undefined);
  expect(denied.decision).toEqual({ approved: false });
});

test('on a phone everything is large enough, a swipe leads to the next question, and an earlier answer is taken again', async () => {
  const workspace = { path: at.folder() };
  const ask = '[[ask Which colour? | Red | Blue]] [[next]] [[text Thanks.]]';
  const first = await at.work(ask, { workspace });
  const earlier = await at.asked(first.threadId);
  await at.client.prompts.answer(earlier.id, { answers: [{ question: 'Which colour?', answer: ['Blue'] }] });
  await at.client.dispatches.get(first.id);
  const second = await at.work(ask, { workspace });
  const prompt = await at.asked(second.threadId);
  await at.asked((await at.work('[[ask Another? | A | B]]')).threadId);
  const page = await at.page(`/prompts/${prompt.id}`, phone);
  await page.getByRole('list', { name: 'Answered before' }).getByText('Blue').waitFor();
  await steady(page);

  const small = await page.evaluate(() =>
    [...document.querySelectorAll('main button, main textarea, main select, main .option')]
      .filter((each) => each.checkVisibility() && !each.matches('.plain'))
      .map((each) => ({
        text: each.textContent ?? '',
        height: each.getBoundingClientRect().height,
        isField: each.matches('textarea, select'),
        font: Number.parseFloat(getComputedStyle(each).fontSize),
      }))
      .filter(({ height, isField, font }) => (isField ? font < 16 : height < 44)),
  );
  expect(small).toEqual([]);

  const article = page.getByRole('article', { name: 'Question or approval' });
  await article.evaluate((element) => {
    const touch = (clientX: number) => new Touch({ identifier: 1, target: element, clientX, clientY: 300 });
    const event = (type: string, touches: Touch[], changedTouches: Touch[]) =>
      element.dispatchEvent(new TouchEvent(type, { bubbles: true, touches, changedTouches }));
    event('touchstart', [touch(300)], [touch(300)]);
    event('touchend', [], [touch(100)]);
  });
  await page.waitForURL((url) => !url.pathname.endsWith(prompt.id));

  // The filters step back, and a thread leads to its question, which needs the whole page.
  await page.goto(at.url);
  await page.getByRole('button', { name: 'Filter' }).waitFor();
  expect(await page.getByLabel('Group').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Group').selectOption('needs you');
  await page.getByRole('button', { name: 'Filter (1)' }).waitFor();
  await page.goto(`${at.url}/threads/${second.threadId}`);
  await page.getByRole('link', { name: 'Claude asks: Which colour? Answer' }).click();
  await page.waitForURL(`**/prompts/${prompt.id}`);
  await page.getByRole('list', { name: 'Answered before' }).waitFor();
  await steady(page);
  await page.keyboard.press('=');
  const again = await at.prompt(prompt.id, ({ acceptedAt }) => acceptedAt !== undefined);
  expect(again.answers).toEqual([{ question: 'Which colour?', answer: ['Blue'] }]);
});

test('the settings tell what each device and rule does; the console can be installed', async () => {
  const page = await at.page('/settings', phone);
  await page.getByRole('heading', { name: 'Phones and browsers' }).waitFor();
  await page.getByRole('img', { name: `QR code of ${new URL(at.url).origin}` }).waitFor();
  const manifest = await page.evaluate(async () => await (await fetch('/manifest.webmanifest')).json());
  expect(manifest).toMatchObject({ name: 'Handraise', display: 'standalone', start_url: '/' });
});
