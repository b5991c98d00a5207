import type { ChannelConfig } from '../../protocol/channel-config.js';
import { type Clock, instant } from '../clock.js';
import { deliverNotification, type NotificationMeans } from './channel-delivery.js';
import type { DeliveryResult } from './delivery.js';

const timeoutMs = 20_000;

/** Whether a channel takes notifications. */
type ChannelTest = { readonly channel: string; readonly type: ChannelConfig['type'] } & DeliveryResult;

/** Says something in each of these channels, once. */
export async function tellChannels(
  channels: readonly ChannelConfig[],
  {
    means,
    publicUrl,
    clock,
  }: {
    readonly means: NotificationMeans;
    readonly publicUrl: string;
    readonly clock: Pick<Clock, 'now'>;
  },
): Promise<ChannelTest[]> {
  return await Promise.all(
    channels.map(async (channel) => {
      const at = instant(clock);
      const notification = {
        occasion: 'test',
        channel: channel.name,
        at,
        link: publicUrl,
        title: 'Test of Handraise',
        text: 'Notifications reach this channel.',
      } as const;
      const result = await deliverNotification({ id: `test-${at}`, notification }, channel, {
        ...means,
        now: clock.now(),
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { channel: channel.name, type: channel.type, ...result };
    }),
  );
}
