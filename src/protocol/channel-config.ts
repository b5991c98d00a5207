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

// Who may answer there: their id in the chat, and the name that the record has. A name of the chat could be anybody's.
const people = (id: RegExp) =>
  z
    .record(
      z.string().regex(id),
      z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'a name has letters, digits, _ and - only'),
    )
    .default({});

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
  z.strictObject({
    type: z.literal('telegram'),
    ...remote,
    url: remote.url.default('https://api.telegram.org'),
    token: z.string().regex(/^\d{1,20}:[A-Za-z0-9_-]{20,100}$/, 'a token is the one that BotFather gave'),
    chat: z.string().regex(/^-?\d{1,20}$/, 'a chat is a number in quotes'),
    people: people(/^\d{1,20}$/),
  }),
  z.strictObject({
    type: z.literal('slack-app'),
    ...remote,
    url: remote.url.default('https://slack.com/api'),
    botToken: z.string().regex(/^xoxb-[A-Za-z0-9-]{10,200}$/, 'a bot token begins with xoxb-'),
    appToken: z.string().regex(/^xapp-[A-Za-z0-9-]{10,200}$/, 'an app token begins with xapp-'),
    channel: z.string().regex(/^[CDG][A-Z0-9]{2,30}$/, 'a channel is an id such as C0123ABCD'),
    people: people(/^[UW][A-Z0-9]{2,30}$/),
  }),
]);

/** A place where notifications go, and what is told there. */
export const ChannelConfig = anyChannel.refine(
  (channel) => !('url' in channel) || channel.allowPrivate || new URL(channel.url).protocol === 'https:',
  { path: ['url'], message: 'must be https, unless allowPrivate is set' },
);
export type ChannelConfig = z.infer<typeof ChannelConfig>;

/** A channel in which people can answer. */
export type ChatChannel = Extract<ChannelConfig, { type: 'telegram' | 'slack-app' }>;

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
