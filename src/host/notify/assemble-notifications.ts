import { join } from 'node:path';
import type { HostEnvironment } from '../host-environment.js';
import { PushDelivery } from '../push/push-delivery.js';
import { PushDevices } from '../push/push-devices.js';
import { NotificationSender } from './notification-sender.js';
import { Notifications } from './notifications.js';

/** Builds what tells people of what waits for them: which notifications there are, and who sends them where. */
export function assembleNotifications({ store, home, clock, notify, log }: HostEnvironment) {
  const { channels, publicUrl } = notify;
  const devices = new PushDevices({
    file: join(home, 'push.json'),
    clock,
    isHeld: (digest) => notify.isTokenHeld(digest),
    log,
  });
  const push = new PushDelivery({ store, devices, resolve: notify.resolve, publicUrl, clock, log });
  const notifications = new Notifications({ channels, publicUrl, clock, devices: () => push.channels() });
  const sender = new NotificationSender({ store, channels, means: notify, push, clock, log });
  return { devices, notifications, sender };
}
