import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type OutboundPost, post, type Resolve } from '../../../src/host/notify/outbound-post.js';
import { waitUntil } from '../../harness/wait-until.js';
import { openReceiver } from './receiver.js';

const patient = new AbortController().signal;
const unreachable = 'its host is in a private network or a reserved range';

const noNames: Resolve = (host) => Promise.reject(Object.assign(new Error(host), { code: 'ENOTFOUND' }));

async function send(given: Partial<OutboundPost>, outside: { resolve?: Resolve; signal?: AbortSignal } = {}) {
  const wanted = { url: '', allowPrivate: true, headers: {}, body: '{}', ...given };
  return await post(wanted, { resolve: noNames, signal: patient, ...outside });
}

const silent: Resolve = () => new Promise(() => {});

/** A name server that has these answers, and counts how often it is asked. */
function names(answers: Record<string, readonly string[]>) {
  const asked: string[] = [];
  const resolve: Resolve = (host) => {
    asked.push(host);
    const found = answers[host];
    if (!found) return noNames(host);
    return Promise.resolve(found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
  return { asked, resolve };
}

test('posts headers and body', async () => {
  const receiver = await openReceiver();

  expect(await send({ url: `${receiver.url}/in?a=1`, headers: { 'x-own': 'yes' }, body: '{"ä":1}' })).toEqual(
    { sent: true },
  );
  expect(receiver.calls).toEqual([
    {
      path: '/in?a=1',
      headers: {
        host: `127.0.0.1:${receiver.port}`,
        'user-agent': 'handraise',
        'x-own': 'yes',
        'content-length': '8',
        connection: 'close',
      },
      body: '{"ä":1}',
    },
  ]);
});

test('a name is resolved once, and the connection goes where the check looked', async () => {
  const receiver = await openReceiver();
  const answers = [['127.0.0.1'], ['203.0.113.1']];
  const { asked, resolve } = names({});
  const rebinding: Resolve = async (host) => {
    await resolve(host).catch(() => {});
    return (answers.shift() ?? []).map((address) => ({ address, family: 4 }));
  };

  expect(await send({ url: `http://hook.test:${receiver.port}/` }, { resolve: rebinding })).toEqual({
    sent: true,
  });
  expect(asked).toEqual(['hook.test']);
  expect(receiver.calls.map(({ headers }) => headers.host)).toEqual([`hook.test:${receiver.port}`]);
});

test('a name with several addresses is reached at one that answers', async () => {
  const receiver = await openReceiver();
  const { resolve } = names({ 'hook.test': ['::1', '127.0.0.1'] });

  expect(await send({ url: `http://hook.test:${receiver.port}/` }, { resolve })).toEqual({ sent: true });
});

describe('without leave, a private place is not called:', () => {
  const { resolve } = names({
    localhost: ['127.0.0.1', '::1'],
    'localhost.': ['127.0.0.1'],
    'localtest.example': ['127.0.0.1'],
    'metadata.google.internal': ['169.254.169.254'],
    'mixed.example': ['93.184.215.14', '10.0.0.8'],
    'mixed6.example': ['2606:4700:4700::1111', 'fd00::8'],
    'mapped.example': ['::ffff:127.0.0.1'],
    'tailnet.example': ['100.101.102.103'],
    'odd.example': ['not an address'],
  });

  test.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localtest.example',
    'metadata.google.internal',
    'mixed.example',
    'mixed6.example',
    'mapped.example',
    'tailnet.example',
    'odd.example',
    '127.0.0.1',
    '127.1',
    '127.0.0.1.',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '①②⑦.⓪.⓪.①',
    '0',
    '0.0.0.0',
    '10.1.2.3',
    '192.168.1.1',
    '169.254.169.254',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::7f00:1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
  ])('%s', async (host) => {
    const receiver = await openReceiver();

    for (const protocol of ['http', 'https']) {
      const url = `${protocol}://${host}:${receiver.port}/`;
      expect(await send({ url, allowPrivate: false }, { resolve })).toEqual({
        sent: false,
        why: unreachable,
      });
    }
    expect(receiver.calls).toEqual([]);
  });
});

test.each(['0.0.0.0', '169.254.169.254', '224.0.0.1', '[fe80::1]', '[::ffff:169.254.169.254]'])(
  '%s is not called even with leave',
  async (host) => {
    expect(await send({ url: `http://${host}/` })).toEqual({ sent: false, why: unreachable });
  },
);

describe('an answer', () => {
  test.each([
    [200, {}, { sent: true }],
    [201, {}, { sent: true }],
    [202, {}, { sent: true }],
    [400, {}, { sent: false, why: 'it answered 400' }],
    [401, {}, { sent: false, why: 'it answered 401' }],
    [404, {}, { sent: false, why: 'it answered 404' }],
    [410, {}, { sent: false, why: 'it answered 410', final: true }],
    [429, { 'retry-after': '7' }, { sent: false, why: 'it answered 429', retryAfterMs: 7000 }],
    [429, { 'retry-after': 'soon' }, { sent: false, why: 'it answered 429' }],
    [500, {}, { sent: false, why: 'it answered 500' }],
    [503, { 'retry-after': '-1' }, { sent: false, why: 'it answered 503' }],
  ])('of %i %o', async (status, headers, delivery) => {
    const receiver = await openReceiver((response) => response.writeHead(status, headers).end('words'));

    expect(await send({ url: receiver.url })).toEqual(delivery);
  });

  test.each([301, 302, 303, 307, 308])('of %i leads nowhere', async (status) => {
    const elsewhere = await openReceiver();
    const receiver = await openReceiver((response) =>
      response.writeHead(status, { location: elsewhere.url }).end(),
    );

    expect(await send({ url: receiver.url })).toEqual({ sent: false, why: `it answered ${status}` });
    expect(elsewhere.calls).toEqual([]);
  });

  test('without an end is left', async () => {
    let hungUp = false;
    const receiver = await openReceiver((response) => {
      response.on('close', () => {
        hungUp = true;
      });
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', more);
      more();
    });

    expect(await send({ url: receiver.url })).toEqual({ sent: true });
    await waitUntil('the sender hangs up', () => hungUp);
  });

  test('that stops after its status counts, once the time is over', async () => {
    const receiver = await openReceiver((response) => {
      response.writeHead(200).write('well');
    });

    // Long enough for the status to come on a busy machine.
    expect(await send({ url: receiver.url }, { signal: AbortSignal.timeout(2000) })).toEqual({ sent: true });
  });
});

describe('no answer', () => {
  const late = { sent: false, why: 'it did not answer in time' };

  test('in time', async () => {
    const isOver = new AbortController();
    const receiver = await openReceiver(() => isOver.abort());

    expect(await send({ url: receiver.url }, { signal: isOver.signal })).toEqual(late);
    expect(receiver.calls.length).toBe(1);
  });

  test('of a name server', async () => {
    expect(
      await send({ url: 'http://slow.test/' }, { resolve: silent, signal: AbortSignal.timeout(50) }),
    ).toEqual(late);
  });

  test('when it was called off before', async () => {
    expect(await send({ url: 'http://127.0.0.1/' }, { signal: AbortSignal.abort() })).toEqual(late);
  });

  test('because there is no such name, or none with an address', async () => {
    const nowhere = { sent: false, why: 'it could not be reached (ENOTFOUND)' };
    const { resolve } = names({ 'empty.test': [] });

    expect(await send({ url: 'http://user:hunter2@nowhere.test/token' })).toEqual(nowhere);
    expect(await send({ url: 'http://empty.test/' }, { resolve })).toEqual(nowhere);
  });

  test('because nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    server.close();
    await once(server, 'close');

    expect(await send({ url: `http://127.0.0.1:${port}/token` })).toEqual({
      sent: false,
      why: 'it could not be reached (ECONNREFUSED)',
    });
  });

  test('because the connection broke', async () => {
    const receiver = await openReceiver((response) => response.socket?.resetAndDestroy());

    expect(await send({ url: receiver.url })).toEqual({
      sent: false,
      why: 'it could not be reached (ECONNRESET)',
    });
  });

  test('because it does not speak TLS', async () => {
    const receiver = await openReceiver();

    expect(await send({ url: `https://127.0.0.1:${receiver.port}/` })).toMatchObject({ sent: false });
    expect(receiver.calls).toEqual([]);
  });
});
