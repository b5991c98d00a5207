import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openTestServer } from './test-server.js';

const folder = new URL('../../dist/web/', import.meta.url);
const script = readdirSync(new URL('assets/', folder)).find((name) => /^first-.*\.js$/.test(name)) ?? '';

/** A file as it came over the wire. */
async function fetched(url: string, encodings: string) {
  return await new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const sent = request(url, { headers: { 'accept-encoding': encodings } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    });
    sent.on('error', reject).end();
  });
}

it.each([
  ['br', 'gzip, deflate, br', brotliDecompressSync],
  ['gzip', 'gzip, deflate', gunzipSync],
  [undefined, 'identity', (body: Buffer) => body],
])('a file of the console goes out as %s to whoever takes %s', async (encoding, takes, read) => {
  await using server = await openTestServer();
  const { headers, body } = await fetched(`${server.url}/assets/${script}`, takes);
  expect(headers['content-encoding']).toBe(encoding);
  expect(headers).toMatchObject({
    'content-type': expect.stringContaining('text/javascript'),
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const whole = readFileSync(new URL(`assets/${script}`, folder));
  expect(read(body).equals(whole)).toBe(true);
  if (encoding !== undefined) {
    expect(headers['vary']).toMatch(/accept-encoding/i);
    expect(body.length).toBeLessThan(whole.length / 3);
  }
});
