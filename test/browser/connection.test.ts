// @module-tag full
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../harness/wait-until.js';
import { ConsoleStage, signIn, steady } from './console-stage.js';

let at: ConsoleStage;
beforeAll(async () => {
  at = await ConsoleStage.open();
});
afterEach(async () => {
  await at.closePages();
  await at.startAgain();
});
afterAll(async () => await at[Symbol.asyncDispose]());

test('a worker that is killed and started again is found again, with the open question and the session', async () => {
  const { threadId } = await at.work('[[ask Still there? | yes | no]] [[next]] [[text Good.]]', {
    title: 'Patient',
  });
  const prompt = await at.asked(threadId);
  const page = await at.page(`/prompts/${prompt.id}`);
  await page.getByRole('group', { name: 'Still there?' }).waitFor();

  await at.stop();
  await page.getByText('Reconnecting to the worker').waitFor();
  await at.start();
  await page.getByText('Reconnecting to the worker').waitFor({ state: 'detached' });
  await steady(page);
  await page.keyboard.press('1');
  await page.getByText('✓ Answered: yes · by owner').waitFor();
  await at.thread(threadId, ({ lastDispatch }) => lastDispatch?.result === 'succeeded');
});

test('a browser without network says that it is offline, and catches up afterwards', async () => {
  const page = await at.page();
  await page.context().setOffline(true);
  await at.stop();
  await page.getByText('You are offline.').waitFor();
  await at.start();
  await at.work('[[text Hello.]]', { title: 'Meanwhile' });
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Meanwhile' }).waitFor();
});

test('a browser that loses its network while parts of the page are still loaded says so, and gets them afterwards', async () => {
  const page = await at.strangerPage();
  const lost = new AbortController();
  const parts = '**/assets/work-counts*';
  await page.route(parts, async (route) => {
    if (!lost.signal.aborted) await once(lost.signal, 'abort');
    await route.abort('internetdisconnected');
  });
  const wanted = page.waitForRequest(parts);
  await page.setViewportSize({ width: 1440, height: 800 });
  await signIn(page, await at.client.loginLink());
  await wanted;
  await page.context().setOffline(true);
  await at.stop();
  lost.abort();
  await page.getByText('You are offline.').waitFor();
  await at.start();
  await page.unroute(parts);
  await page.context().setOffline(false);
  await page.locator('.work-counts').waitFor();
});

test('a page that is opened while the worker is away is there when the worker is back', async () => {
  const page = await at.page();
  await page.getByRole('heading', { name: /^Ready to review/ }).waitFor();
  await at.stop();
  await page.getByRole('link', { name: 'Schedules' }).click();
  await page.getByText('Loading…').waitFor();
  await page.getByText('Reconnecting to the worker').waitFor();
  await at.start();
  await page.getByRole('heading', { name: 'Schedules' }).waitFor();
});

test('a page that is gone with an update says so, and the rest stays', async () => {
  const page = await at.page();
  await page.getByRole('heading', { name: /^Ready to review/ }).waitFor();
  await page.route('**/assets/schedules-page*', (route) => route.fulfill({ status: 404, body: '' }));
  await page.getByRole('link', { name: 'Schedules' }).click();
  await page.getByRole('alert').getByText('This part of the console cannot be shown.').waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { name: /^Ready to review/ }).waitFor();
  await page.getByRole('link', { name: 'Schedules' }).click();
  await page.unroute('**/assets/schedules-page*');
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await page.getByRole('heading', { name: 'Schedules' }).waitFor();
});

test('what the worker refuses to tell is said, and not left out', async () => {
  const page = await at.page();
  const problem = {
    type: 'about:blank',
    title: 'Broken',
    status: 500,
    code: 'internal',
    detail: 'The disk is full.',
  };
  await page.route('**/api/v1/schedules*', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  );
  await page.getByRole('link', { name: 'Schedules' }).click();
  const words = page.getByText('Something on this page could not be read: The disk is full.');
  await words.waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await words.waitFor({ state: 'detached' });
});

test('a link from a chat opens the prompt in a browser that is signed in', async () => {
  const { threadId } = await at.work('[[ask From the chat? | yes | no]]');
  const prompt = await at.asked(threadId);
  const page = await at.page();
  await page.route('https://chat.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${at.url}/#prompt=${prompt.id}">answer</a>` }),
  );
  await page.goto('https://chat.example/room');
  await page.getByRole('link', { name: 'answer' }).click();
  await page.waitForURL(`${at.url}/prompts/${prompt.id}`);
  await page.getByRole('group', { name: 'From the chat?' }).waitFor();
  await page.goto('https://chat.example/room');
  await page.evaluate(`document.querySelector('a').href = '${at.url}/threads/${threadId}'`);
  await page.getByRole('link', { name: 'answer' }).click();
  await page.getByRole('region', { name: 'Waiting for your answer' }).waitFor();
  await steady(page);
  await page.keyboard.press('1');
  await at.prompt(prompt.id, ({ state }) => state === 'answered');
});

test('the browser notifies of a question while nobody looks, once it was allowed to', async () => {
  const page = await at.page();
  await page.context().grantPermissions(['notifications'], { origin: at.url });
  await page.addInitScript(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    class Recorded extends EventTarget {
      static permission = 'granted';
      constructor(title: string, { body, tag }: { body: string; tag: string }) {
        super();
        told.push(`${title} | ${body} | ${tag}`);
      }
    }
    Object.assign(window, { Notification: Recorded });
    document.hasFocus = () => false;
  });
  await page.reload();
  await page.getByRole('button', { name: 'Notifications are on: you hear when an agent asks' }).waitFor();
  await page.getByRole('heading', { name: /^Ready to review/ }).waitFor();
  const { threadId } = await at.work('[[ask Ring? | yes | no]]', { title: 'Bell' });
  const { id } = await at.asked(threadId);
  const told = async (): Promise<string[]> => await page.evaluate('window.told');
  await waitUntil('the browser notifies', async () => (await told()).length > 0);
  expect(await told()).toEqual([`Question: Bell | Ring? | ${id}`]);
});

test('tabs that nobody looks at give their streams up, except the one that stays to notify', async () => {
  const { threadId } = await at.work('[[text Here.]]', { title: 'Many tabs' });
  const first = await at.page(`/threads/${threadId}`);
  await first.getByText('Here.', { exact: true }).waitFor();
  // Pages of a test are all in front, so each is told that it is not.
  await first.context().addInitScript(() => {
    Object.defineProperty(document, 'visibilityState', {
      get: () => (window.name === '' ? 'hidden' : 'visible'),
    });
  });
  const hidden = await Promise.all(Array.from({ length: 9 }, () => first.context().newPage()));
  for (const page of hidden) await page.goto(`${at.url}/threads/${threadId}`);
  // Ten tabs with two streams each would leave no connection for this.
  await first.getByLabel('Message to the agent').fill('[[text Again.]]');
  await first.keyboard.press('Enter');
  await first.getByText('Again.', { exact: true }).waitFor();

  const [page] = hidden.slice(-1);
  await page?.evaluate(() => {
    window.name = 'looked at';
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page?.getByText('Again.', { exact: true }).waitFor();
});
