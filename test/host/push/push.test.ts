import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Notification } from '../../../src/host/notify/notification.js';
import { ask } from '../../../src/host/notify/outbound-post.js';
import { PushDelivery } from '../../../src/host/push/push-delivery.js';
import { PushDevices } from '../../../src/host/push/push-devices.js';
import { areBrowserKeys, encryptedPush, longestPushText } from '../../../src/host/push/push-encryption.js';
import { pushMessage } from '../../../src/host/push/push-message.js';
import { pushPost } from '../../../src/host/push/push-post.js';
import { applicationServerKey, newVapidKeys } from '../../../src/host/push/vapid.js';
import { isPushService, type PushDetail } from '../../../src/protocol/push.js';
import { prompt, promptId, threadId } from '../../domain/samples.js';

const derived = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));
const toThisMachine = async () => [{ address: '127.0.0.1', family: 4 }];

/** A browser that has subscribed: its keys, and what it makes of what arrives. */
function aBrowser() {
  const ecdh = createECDH('prime256v1');
  const p256dh = ecdh.generateKeys();
  const auth = randomBytes(16);
  return {
    keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
    read: (body: Buffer): string => {
      const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)];
      const sender = body.subarray(21, 21 + keyLength);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, sender]);
      const secret = derived(ecdh.computeSecret(sender), auth, info, 32);
      const key = derived(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
      const nonce = derived(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
      const sealed = body.subarray(21 + keyLength);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce);
      decipher.setAuthTag(sealed.subarray(-16));
      const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      expect(text.at(-1)).toBe(2);
      return text.subarray(0, -1).toString('utf8');
    },
  };
}

const endpoint = 'https://fcm.googleapis.com/fcm/send/abc';
const asked: Notification = {
  occasion: 'asked',
  channel: 'x',
  at: '2026-01-01T00:00:00.000Z',
  link: 'https://example.com/#prompt=x',
  title: 'Question: Order page',
  text: 'Which layout?\n1. One\n2. Two',
  thread: { id: threadId, title: 'Order page', workspace: '/w' },
  promptId: promptId(1),
  kind: 'ask_user_question',
};

test.each([
  ['https://fcm.googleapis.com/fcm/send/a', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/a', true],
  ['https://web.push.apple.com/a', true],
  ['https://wns2-by3p.notify.windows.com/w/?token=a', true],
  ['http://fcm.googleapis.com/a', false],
  ['https://fcm.googleapis.com:8443/a', false],
  ['https://me@fcm.googleapis.com/a', false],
  ['https://fcm.googleapis.com.example.com/a', false],
  ['https://evilpush.apple.com.example/a', false],
  ['https://notify.windows.com.evil/a', false],
  ['https://127.0.0.1/a', false],
  ['https://[::1]/a', false],
  ['https://localhost/a', false],
  ['file:///etc/passwd', false],
  ['nothing', false],
])('a message may go to %s: %s', (address, may) => {
  expect(isPushService(address)).toBe(may);
});

describe('what a device is told', () => {
  const one = {
    question: 'Which layout?',
    multiSelect: false,
    options: [{ label: 'One' }, { label: 'Two' }],
  };
  const question = prompt({ kind: 'ask_user_question', questions: [one] });
  const approval = prompt({
    kind: 'approval',
    questions: [one],
    action: { tool: 'Bash', input: {}, digest: 'd' },
  });
  const told = (detail: PushDetail, given = question) => pushMessage(asked, { detail, prompt: given });

  test.each([
    ['all', { title: 'Question: Order page', body: 'Which layout? 1. One 2. Two', options: ['One', 'Two'] }],
    ['title', { title: 'Question: Order page', body: '', options: [] }],
    ['nothing', { title: 'An agent asks you something', body: '', options: [] }],
  ] as const)('with %s', (detail, message) => {
    expect(told(detail)).toMatchObject(message);
  });

  test('an approval can be denied and opened, and never approved', () => {
    for (const detail of ['all', 'title', 'nothing'] as const)
      expect(told(detail, approval)).toMatchObject({ canDeny: true, options: [] });
  });

  test.each([
    ['a secret', { ...one, isSecret: true }],
    ['several choices', { ...one, multiSelect: true }],
    ['a label that is cut', { ...one, options: [{ label: 'x'.repeat(31) }] }],
    ['a label with what is not seen', { ...one, options: [{ label: 'a\u202eb' }] }],
    ['more than fit', { ...one, options: ['a', 'b', 'c', 'd'].map((label) => ({ label })) }],
  ])('offers nothing to choose for %s', (_name, given) => {
    const message = told('all', prompt({ kind: 'ask_user_question', questions: [given] }));
    expect(message.options).toEqual([]);
    if ('isSecret' in given) expect(message.body).toBe('');
  });
});

test('keys that no browser made are refused', () => {
  const { keys } = aBrowser();
  expect(areBrowserKeys(keys)).toBe(true);
  for (const wrong of [
    { ...keys, auth: 'AAAA' },
    { ...keys, p256dh: keys.auth },
    { ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') },
    { p256dh: '', auth: '' },
  ])
    expect(areBrowserKeys(wrong)).toBe(false);
});

test('what is sent is read by its browser alone, is signed for its service, and is never too large', async () => {
  const browser = aBrowser();
  const vapid = newVapidKeys();
  const message = pushMessage(asked, { detail: 'all', prompt: undefined });
  const now = Date.UTC(2026, 0, 1);
  const by = { vapid, subject: 'https://example.com', now, randomBytes };
  const post = pushPost(message, { endpoint, keys: browser.keys }, by);
  const got: { headers: NodeJS.Dict<string | string[]>; body: Buffer }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(201).end();
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const means = { resolve: async () => [], signal: new AbortController().signal };
  const answer = await ask({ ...post, url: `http://127.0.0.1:${port}/`, allowPrivate: true }, means);
  expect(answer).toMatchObject({ answered: true, status: 201 });
  const [arrived] = got;
  if (!arrived) throw new Error('Nothing arrived.');
  expect(JSON.parse(browser.read(arrived.body))).toEqual(message);
  expect(() => aBrowser().read(arrived.body)).toThrow();
  expect(arrived.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' });

  const [, head = '', claims = '', signature = ''] =
    /^vapid t=([^.]+)\.([^.]+)\.([^,]+), k=/.exec(String(arrived.headers['authorization'])) ?? [];
  const { d: _private, ...point } = vapid;
  const key = createPublicKey({ key: point, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  expect(isSigned).toBe(true);
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
    aud: 'https://fcm.googleapis.com',
    exp: now / 1000 + 43_200,
    sub: 'https://example.com',
  });
  const large = { ...message, body: '€'.repeat(3000) };
  expect(pushPost(large, { endpoint, keys: browser.keys }, by).body.length).toBeLessThanOrEqual(4096);
  expect(encryptedPush('x'.repeat(longestPushText), browser.keys, randomBytes)).toHaveLength(4096);
});

test('devices are kept in a private file, end with their token, and are forgotten when their service says so', async () => {
  const home = await mkdtemp(join(tmpdir(), 'handraise-push-'));
  onTestFinished(async () => await rm(home, { recursive: true }));
  const file = join(home, 'push.json');
  const held = new Set(['a', 'b']);
  const log: string[] = [];
  const parts = {
    file,
    clock: { now: () => 0 },
    isHeld: (digest: string) => held.has(digest),
    log: (line: string) => void log.push(line),
  };
  const devices = new PushDevices(parts);
  const { publicKey } = devices.report();
  expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const add = (name: string, digest: string) =>
    devices.add(
      { endpoint: `${endpoint}${name}`, keys: aBrowser().keys, device: name },
      { actor: 'user:me', digest },
    );
  const [first, second] = [add('one', 'a'), add('two', 'b')];
  expect(add('one', 'a').id).toBe(first.id);
  expect(() =>
    devices.add({ endpoint, keys: { p256dh: 'x', auth: 'y' } }, { actor: 'user:me', digest: 'a' }),
  ).toThrow('No browser');

  const again = new PushDevices(parts);
  expect(again.report()).toEqual({ publicKey, devices: [second, first] });
  held.delete('b');
  expect(again.devices.map(({ device }) => device)).toEqual(['one']);

  // The name of the service leads to this machine: nothing is sent there.
  const resolve = toThisMachine;
  const store = { query: async () => null } as never;
  const delivery = new PushDelivery({
    store,
    devices: again,
    resolve,
    publicUrl: 'http://x',
    clock: Date,
    log: parts.log,
  });
  const [channel] = delivery.channels();
  const sent = await delivery.deliver(
    { ...asked, channel: channel?.name ?? '' },
    new AbortController().signal,
  );
  expect(sent).toEqual({ sent: false, why: 'its host is in a private network or a reserved range' });
  expect(
    await delivery.deliver({ ...asked, channel: `push:${second.id}` }, new AbortController().signal),
  ).toMatchObject({ final: true });
  again.remove(first.id);
  expect(delivery.channels()).toEqual([]);

  writeFileSync(file, readFileSync(file, 'utf8').slice(10));
  expect(new PushDevices(parts).devices).toEqual([]);
  expect(log.at(-1)).toContain('cannot be used');
  expect(applicationServerKey(newVapidKeys())).not.toBe(publicKey);
});
