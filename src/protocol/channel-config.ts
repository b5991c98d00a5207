import * as z from 'zod';
import { Failure } from './failure.js';

/** What somebody may want to be told of. */
const Occasion = z.enum(['asked', 'finished', 'failed']);
export type Occasion = z.infer<typeof Occasion>;

const common = {
  // It becomes part of the id that a webhook signs, whose parts are separated by dots.
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'a name has letters, digits, _ and - only'),
  on: z.array(Occasion).default([...Occasion.options]),
};

const remote = {
  ...common,
  url: z.url({ protocol: /^https?$/ }),
  /** It may be on this machine or in its own network, and without TLS. */
  allowPrivate: z.boolean().default(false),
};

// What the standard asks for.
const secret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/, 'a secret is whsec_ and 24 to 64 bytes in base64');

const anyChannel = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('desktop'), ...common }),
  z.strictObject({ type: z.literal('bell'), ...common }),
  z.strictObject({ type: z.literal('webhook'), ...remote, secret }),
  z.strictObject({
    type: z.literal('ntfy'),
    ...remote,
    url: remote.url.refine((url) => /\/[A-Za-z0-9_-]{1,64}$/.test(new URL(url).pathname), {
      message: 'the URL must end with the topic',
    }),
    token: z.string().min(1).optional(),
  }),
  z.strictObject({ type: z.literal('slack'), ...remote }),
]);

/** A place where notifications go, and what is told there. */
export const ChannelConfig = anyChannel.refine(
  (channel) => !('url' in channel) || channel.allowPrivate || new URL(channel.url).protocol === 'https:',
  { path: ['url'], message: 'must be https, unless allowPrivate is set' },
);
export type ChannelConfig = z.infer<typeof ChannelConfig>;

/** All channels of a worker; two of one name would take each other for the one that was told already. */
export const ChannelConfigs = z
  .array(ChannelConfig)
  .refine((channels) => new Set(channels.map(({ name }) => name)).size === channels.length, {
    message: 'every channel needs its own name',
  });

/** The channels of a configuration; what is wrong with it is said in a sentence. */
export function readChannels(given: readonly unknown[]): ChannelConfig[] {
  const read = ChannelConfigs.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Failure('config', `notify.${issue?.path.join('.')}: ${issue?.message}`);
}
