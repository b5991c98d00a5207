import type { Client } from '../../client/client.js';
import type { PushDetail, PushDevice } from '../../protocol/push.js';

const place = 'handraise-push';
const secretPath = '/push-secret';

/** The service worker, where this browser can have one: only on HTTPS and on this machine itself. */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined;
  try {
    return await navigator.serviceWorker.register('/service-worker.js', { scope: '/' });
  } catch {
    // A browser that may keep nothing; the console works without it.
    return undefined;
  }
}

/** Gives the service worker what this browser is signed in with, so that it can answer while no page is open; null takes it back. */
export async function keepSecret(secret: string | null): Promise<void> {
  if (!('caches' in globalThis)) return;
  if (secret === null) await caches.delete(place);
  else await (await caches.open(place)).put(secretPath, new Response(secret));
}

/** Subscribes this browser, and tells the worker; throws a sentence where the browser does not want to. */
export async function subscribeDevice(
  client: Client,
  { detail, secret }: { readonly detail: PushDetail; readonly secret: string },
): Promise<PushDevice> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('This browser does not allow notifications. Allow them in its settings for this page.');
  await registerServiceWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const { publicKey } = await client.push.report();
  const before = await pushManager.getSubscription();
  // A key of an earlier home would be refused for ever.
  await before?.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const device = await client.push.add({
    endpoint,
    keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' },
    detail,
    device: deviceName(navigator.userAgent),
  });
  await keepSecret(secret);
  return device;
}

/** What a device calls itself: enough to know it in a list. */
function deviceName(agent: string): string {
  const system = /iPhone|iPad|Android|Windows|Mac OS X|Linux/.exec(agent)?.[0] ?? 'device';
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(agent)?.[0] ?? 'browser';
  return `${browser === 'Edg' ? 'Edge' : browser === 'OPR' ? 'Opera' : browser} on ${system === 'Mac OS X' ? 'Mac' : system}`;
}
