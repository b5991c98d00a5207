import type { Command } from 'commander';
import { testChannels } from '../../compose.js';
import { Failure } from '../../protocol/failure.js';
import { writeJson, writeLine } from '../output.js';
import { effectiveSettings } from '../settings/effective-settings.js';

/** `handraise notify`: whether notifications arrive. */
export function addNotify(program: Command): void {
  const notify = program
    .command('notify')
    .summary('see whether notifications arrive')
    .description('Sends tests to the channels of the setting notify, from this machine.');

  notify
    .command('test')
    .description('Sends a test to one channel, or to all of them, and says whether it was taken.')
    .argument('[channel]', 'name of the channel')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise notify test\n  $ handraise notify test phone\n')
    .action(test);
}

async function test(name: string | undefined, { json }: { json?: true }): Promise<void> {
  const { notify, publicUrl, port } = effectiveSettings({ env: process.env, folder: '.' }).values;
  const channels = notify.filter((channel) => name === undefined || channel.name === name);
  if (channels.length === 0)
    throw new Failure(
      name === undefined ? 'config' : 'not_found',
      name === undefined
        ? 'There are no channels. The setting notify names them (docs/operations.md).'
        : `There is no channel ${name}. The setting notify names them: handraise config get notify`,
    );
  const results = await testChannels(channels, {
    publicUrl: publicUrl ?? `http://127.0.0.1:${port}`,
    env: process.env,
  });
  if (json) writeJson(results);
  else
    for (const result of results)
      writeLine(`${result.channel} (${result.type}): ${result.sent ? 'sent' : `not sent: ${result.why}`}`);
  const missed = results.filter(({ sent }) => !sent).map(({ channel }) => channel);
  if (missed.length > 0) throw new Failure('unavailable', `Nothing arrives at ${missed.join(', ')}.`);
}
