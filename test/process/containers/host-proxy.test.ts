import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isReachable, readHostAndPort } from '../../../src/domain/container/reachable-hosts.js';
import { HostProxy } from '../../../src/process/containers/host-proxy.js';

test('a proxy on a socket reaches the model and the hosts of its list, and says what it refused', async () => {
  const model = createServer((asked, response) => response.end(`${asked.headers.host} ${asked.url}`));
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void model.close());
  const { port } = model.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const refused: string[] = [];
  using proxy = new HostProxy({
    read: (text, missing) => {
      const target = readHostAndPort(text, missing);
      return target && { ...target, isAllowed: isReachable([`localhost:${port}`], target) };
    },
    origin: `http://127.0.0.1:${port}`,
    refused: ({ host, port: to }) => refused.push(`${host}:${to}`),
  });
  const socketPath = join(folder, 's');
  proxy.listen(socketPath, (error) => {
    throw error;
  });
  const ask = (path: string, method = 'GET') =>
    new Promise<string>((resolve, reject) => {
      const sent = request({ socketPath, path, method }, (response) => {
        let text = '';
        response.on('data', (chunk) => (text += String(chunk)));
        response.on('end', () => resolve(`${response.statusCode} ${text.trim()}`));
      });
      sent.on('connect', (response, socket) => {
        socket.destroy();
        resolve(`${response.statusCode}`);
      });
      sent.on('error', reject);
      sent.end();
    });

  expect(await ask('/v1/messages')).toBe(`200 127.0.0.1:${port} /v1/messages`);
  // Of a request without a host only the path counts, whatever it looks like.
  expect(await ask('//other.example/x')).toBe(`200 127.0.0.1:${port} //other.example/x`);
  expect(await ask('/@other.example/')).toContain(`127.0.0.1:${port}`);
  expect(await ask(`http://localhost:${port}/a`)).toBe(`200 localhost:${port} /a`);
  expect(await ask(`localhost:${port}`, 'CONNECT')).toBe('200');
  expect(await ask(`http://127.0.0.1:${port}/a`)).toMatch(/^403/);
  expect(await ask('http://other.example/a')).toMatch(/^403/);
  expect(await ask('169.254.169.254:80', 'CONNECT')).toBe('403');
  expect(await ask('nonsense', 'CONNECT')).toBe('403');
  expect(refused).toEqual([`127.0.0.1:${port}`, 'other.example:80', '169.254.169.254:80', 'nonsense:443']);
});
