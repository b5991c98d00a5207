import { expect, it } from 'vitest';
import { openTestServer, problemOf, refusal } from './test-server.js';

it('reads what a tool said part by part, by an id that may be anything', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const toolUseId = 'call/../1 ?&%';
  server.host.toolOutputs.set(toolUseId, 'abc\u0000\u001b[2J');
  const place = `/threads/${id}/tool-outputs/${encodeURIComponent(toolUseId)}`;
  expect((await server.call('GET', `${place}?limit=4`)).body).toEqual({
    text: 'abc\u0000',
    length: 8,
    next: 4,
  });
  expect((await server.call('GET', `${place}?after=4`)).body).toEqual({ text: '\u001b[2J', length: 8 });
  expect(server.host.asked).toEqual([
    ['toolOutput', id, toolUseId, { limit: 4 }],
    ['toolOutput', id, toolUseId, { after: 4 }],
  ]);
});

it('has nothing where nothing is kept', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const reply = await server.call('GET', `/threads/${id}/tool-outputs/toolu_1`);
  expect(problemOf(reply)).toEqual(refusal(404, 'not_found'));
});

it.each(['limit=0', 'limit=262145', 'after=-1', 'after=x', 'tail=1'])('refuses %s', async (query) => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const reply = await server.call('GET', `/threads/${id}/tool-outputs/toolu_1?${query}`);
  expect(problemOf(reply)).toEqual(refusal(422, 'invalid'));
});
