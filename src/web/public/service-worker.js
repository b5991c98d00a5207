// The service worker of the console: shows what is pushed, and takes an answer from a notification. It chooses an option or
// denies; it never approves, because a lock screen shows nothing whole. It keeps no pages: a console of yesterday would show
// what is not so any more.
const place = 'handraise-push';
const secretPath = '/push-secret';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('push', (event) => event.waitUntil(show(messageIn(event.data))));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(act(event.action, event.notification.data ?? {}));
});

/** What was pushed; of what cannot be read only that there was something. */
function messageIn(data) {
  try {
    const message = data.json();
    if (message.version === 1) return message;
  } catch {
    // A worker of another version, or nobody of ours.
  }
  return { title: 'Handraise', body: '', tag: 'unknown', path: '/', options: [], canDeny: false };
}

async function show(message) {
  const { title, body, tag, path, promptId, options, canDeny } = message;
  const open = { action: 'open', title: 'Open' };
  const actions = canDeny
    ? [open, { action: 'deny', title: 'Deny' }]
    : options.length > 0
      ? options.map((label, index) => ({ action: `option${index}`, title: label }))
      : [open];
  await self.registration.showNotification(title, {
    body,
    tag,
    icon: '/icon.svg',
    badge: '/icon.svg',
    actions,
    requireInteraction: promptId !== undefined,
    data: { path, promptId, options, canDeny },
  });
}

async function act(action, { path = '/', promptId, options = [], canDeny = false }) {
  const index = /^option(\d)$/.exec(action ?? '')?.[1];
  const label = index === undefined ? undefined : options[Number(index)];
  const isDenied = action === 'deny' && canDeny;
  if (promptId === undefined || (label === undefined && !isDenied)) return await openConsole(path);
  const why = await answer(promptId, label).catch(() => 'The worker cannot be reached.');
  if (why === undefined) return undefined;
  return await self.registration.showNotification('Not answered', {
    body: `${why} Open it to answer.`,
    tag: `failed-${promptId}`,
    icon: '/icon.svg',
    data: { path },
  });
}

/** Answers with an option, or denies; what came of it as a sentence, or nothing where it went well. */
async function answer(promptId, label) {
  const secret = await (await caches.match(secretPath, { cacheName: place }))?.text();
  if (!secret) return 'This device is not signed in.';
  const call = (way, body) =>
    fetch(`/api/v1/prompts/${encodeURIComponent(promptId)}${way}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const asked = await call('');
  if (asked.status === 401) return 'This device is not signed in any more.';
  if (!asked.ok) return 'The question is gone.';
  const { kind, questions, state, acceptedAt } = await asked.json();
  if (state !== 'pending' || acceptedAt !== undefined) return 'It was answered already.';
  if (label === undefined) {
    if (kind !== 'approval') return 'It cannot be denied.';
    return await became(await call('/answer', { decision: { approved: false } }));
  }
  const [question, ...more] = questions;
  const isThere = question?.options.some((option) => option.label === label);
  // Whatever is asked by now: what was pressed has to be one of its options, and an approval is no question.
  if (kind !== 'ask_user_question' || more.length > 0 || !isThere) return 'It asks something else by now.';
  const answers = [{ question: question.question, answer: [label] }];
  return await became(await call('/answer', { answers }));
}

async function became(response) {
  if (response.ok) return undefined;
  const problem = await response.json().catch(() => ({}));
  return typeof problem.detail === 'string' ? problem.detail : 'The worker refused the answer.';
}

async function openConsole(path) {
  const url = new URL(path, self.location.origin);
  // Whatever was pushed, it leads nowhere but into this console.
  const target = url.origin === self.location.origin ? url.href : '/';
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const [first] = windows;
  if (!first) return await self.clients.openWindow(target);
  await first.navigate(target);
  return await first.focus();
}
