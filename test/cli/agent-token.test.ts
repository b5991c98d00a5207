// @module-tag full
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Client } from '../../src/client/client.js';
import { openCliStage } from './cli-stage.js';

it('a token for an agent starts work in its folder, follows that, and sees nothing of others', async () => {
  await using cli = await openCliStage();
  const refused = await cli.run('token', 'add', 'helper', '--agent');
  expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining('--workspace')]);
  const [mine, other] = [join(cli.stage.home, 'mine'), join(cli.stage.home, 'other')];
  for (const path of [mine, other]) mkdirSync(path);
  const { stdout } = await cli.run('token', 'add', 'helper', '--agent', '--workspace', mine);
  const { url } = (await cli.json('up', '-d')) as { url: string };
  const helper = new Client({ url, token: stdout.trim() });
  const owner = new Client({ url, token: readFileSync(join(cli.home, 'token'), 'utf8').trim() });

  const foreign = await owner.dispatches.submit({ text: '[[text Foreign.]]', workspace: { path: other } });
  const notFound = expect.objectContaining({ code: 'not_found' }) as Error;
  await expect(helper.dispatches.submit({ text: 'x', thread: foreign.threadId })).rejects.toEqual(notFound);
  await expect(helper.threads.interrupt(foreign.threadId)).rejects.toEqual(notFound);
  // The program itself uses a token that it was given, at its own home as well.
  const seen = await cli.start(['ls', '--json'], { env: { HANDRAISE_TOKEN: stdout.trim() } }).finished;
  expect(seen).toMatchObject({
    code: 77,
    stderr: expect.stringContaining('A token of scope agent cannot do this'),
  });
  const forbidden = expect.objectContaining({ code: 'forbidden' }) as Error;
  const elsewhere = { text: 'x', workspace: { path: other } };
  await expect(helper.dispatches.submit(elsewhere)).rejects.toEqual(forbidden);
  const verified = { text: 'x', workspace: { path: mine }, verify: 'touch /tmp/no' };
  await expect(helper.dispatches.submit(verified)).rejects.toEqual(forbidden);

  const work = await helper.dispatches.submit({ text: '[[text Done.]]', workspace: { path: mine } });
  const ended = await helper.dispatches.ended(work.id);
  expect([ended.outcome?.result, ended.actor]).toEqual(['succeeded', 'user:helper']);
  const { items } = await helper.threads.items(work.threadId);
  expect(items.map(({ type }) => type)).toContain('assistant_text');
});
