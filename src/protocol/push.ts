import * as z from 'zod';
import { requestObject } from './request-object.js';

/** How much a device is told: everything that a lock screen may show, which work it is about, or only that somebody asks. */
export const PushDetail = z.enum(['all', 'title', 'nothing']);
export type PushDetail = z.infer<typeof PushDetail>;

/** The services that browsers let push; a message goes nowhere else. */
const services = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'] as const;
const serviceFamilies = ['.push.services.mozilla.com', '.push.apple.com', '.notify.windows.com'] as const;

/** Whether an address is one that a browser got from its push service: HTTPS, the usual port, a host of the list. */
export function isPushService(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password } = new URL(endpoint);
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '') return false;
  return (
    services.some((each) => each === hostname) || serviceFamilies.some((each) => hostname.endsWith(each))
  );
}

const key = z.string().regex(/^[A-Za-z0-9_-]{1,120}={0,2}$/);

/** What a browser tells of its subscription, and what it wants to be told. */
export const PushRequest = requestObject({
  endpoint: z.string().max(2000).refine(isPushService, {
    message: 'it must be an address of a push service of Google, Mozilla, Apple or Microsoft',
  }),
  keys: requestObject({ p256dh: key, auth: key }),
  detail: PushDetail.optional().describe('`title` unless said.'),
  device: z.string().min(1).max(100).optional().describe('What the device is called in the list.'),
});
export type PushRequest = z.infer<typeof PushRequest>;

/** A device that is told when an agent asks. */
export const PushDevice = z.object({
  id: z.string(),
  device: z.string(),
  service: z.string().describe('The host of its push service.'),
  detail: PushDetail,
  actor: z.string().describe('Whose it is; it ends with the token that it was signed in by.'),
  createdAt: z.iso.datetime(),
});
export type PushDevice = z.infer<typeof PushDevice>;

export const PushReport = z.object({
  publicKey: z.string().describe('What a browser subscribes with; made when it is first asked for.'),
  devices: z.array(PushDevice),
});
export type PushReport = z.infer<typeof PushReport>;

/** What arrives in the service worker of a console. */
export const PushMessage = z.object({
  version: z.literal(1),
  title: z.string(),
  body: z.string(),
  /** A later message with it takes the place of an earlier one. */
  tag: z.string(),
  /** Where it leads, in the console. */
  path: z.string(),
  promptId: z.string().optional(),
  /** The labels of options that can be chosen, in their order; never more than a notification has room for. */
  options: z.array(z.string()),
  canDeny: z.boolean(),
});
export type PushMessage = z.infer<typeof PushMessage>;
