import { expect, test } from 'vitest';
import { openReceiver } from '../host/notify/receiver.js';
import { openCliStage } from './cli-stage.js';

test('a test goes to every channel, or to one, and says what was not taken', async () => {
  const receiver = await openReceiver((response, { path }) =>
    response.writeHead(path.endsWith('/sendMessage') ? 401 : 200).end('{"ok":true}'),
  );
  // The stage looks at its end for ports that were not open at its beginning.
  await using cli = await openCliStage();
  const remote = { url: receiver.url, allowPrivate: true };
  const channels = [
    { type: 'ntfy', name: 'phone', ...remote, url: `${receiver.url}/topic` },
    { type: 'telegram', name: 'chat', ...remote, token: `1:${'a'.repeat(35)}`, chat: '5' },
  ];
  const none = await cli.run('notify', 'test');
  expect(none).toMatchObject({ code: 78, stderr: expect.stringContaining('There are no channels.') });
  await cli.run('config', 'set', 'notify', JSON.stringify(channels));
  expect(await cli.run('notify', 'test', 'phone')).toMatchObject({ code: 0, stdout: 'phone (ntfy): sent\n' });
  expect(JSON.parse(receiver.calls[0]?.body ?? '')).toMatchObject({
    topic: 'topic',
    title: 'Test of Handraise',
    message: 'Notifications reach this channel.',
  });
  const all = await cli.run('notify', 'test');
  expect(all).toMatchObject({
    code: 69,
    stdout: 'phone (ntfy): sent\nchat (telegram): not sent: it answered 401\n',
    stderr: expect.stringContaining('Nothing arrives at chat.'),
  });
  expect(await cli.run('notify', 'test', 'nobody')).toMatchObject({ code: 66 });
});
