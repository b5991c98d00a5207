import { expect, it } from 'vitest';
import { OpenPort } from '../../src/http/open-port.js';

const anywhere = { port: 0, bind: '127.0.0.1', allowedHosts: [] };

it('says how to go on when the port is taken, or takes another', async () => {
  await using first = await OpenPort.open(anywhere);
  const same = { ...anywhere, port: first.port };
  await expect(OpenPort.open(same)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(new RegExp(`${first.port}.*--port`)),
  });
  await using second = await OpenPort.open({ ...same, anyPort: true });
  expect(second.port).not.toBe(first.port);
});

it('keeps the requests that come before anybody answers', async () => {
  await using port = await OpenPort.open(anywhere);
  const early = fetch(port.url);
  port.answer((request, response) => response.end(`answered ${request.url}`));
  const late = fetch(`${port.url}/late`);
  expect([await (await early).text(), await (await late).text()]).toEqual(['answered /', 'answered /late']);
});
