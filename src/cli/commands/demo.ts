import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { realModel, scriptedModel } from '../demo/demo-model.js';
import { makeWorkspace } from '../demo/demo-workspace.js';
import { OtherTerminal } from '../demo/other-terminal.js';
import { Program } from '../demo/program.js';
import { writeLine } from '../output.js';
import { ownName } from '../own-name.js';
import { coloursOf } from '../terminal/colours.js';

/** `handraise demo`: the first minutes, in a folder of its own. */
export function addDemo(program: Command): void {
  program
    .command('demo')
    .summary('see an agent ask, and answer it')
    .description(
      'Gives work to a real Claude Code process in a scratch folder. It reads a file, asks you a question, asks for ' +
        'permission, and writes. The model is scripted and costs nothing, whether or not a key is set.',
    )
    .option('--real', 'use the real model, with your own login; it costs a few cents')
    .addHelpText('after', '\nExamples:\n  $ handraise demo\n  $ handraise demo --real\n')
    .action(demo);
}

async function demo({ real }: { readonly real?: true }): Promise<void> {
  const workspace = await makeWorkspace();
  await using model = real ? realModel(process.env) : await scriptedModel(workspace, process.env);
  const handraise = new Program({
    cwd: workspace.path,
    // A home of its own, so that the demo meets neither your worker nor your threads.
    env: { ...model.env, HANDRAISE_HOME: workspace.state },
  });
  const { bold, cyan } = coloursOf(process.stdout);
  writeLine(bold('Handraise: a worker, a real Claude Code process, and you.'));
  writeLine(`The workspace is ${workspace.path}. The model is ${model.name}.\n`);

  const other = process.stdin.isTTY ? null : new OtherTerminal(handraise);
  const code = await handraise.show(['run', model.task], {
    hear: (line) => other?.hear(line),
    // The scripted model is gone when the demo ends, so nothing goes on in its thread.
    unseen: ['--no-hint'],
  });
  await other?.done();
  process.exitCode = code;
  if (code === 0) {
    await handraise.show(['ls']);
    const written = await readFile(join(workspace.path, 'announcement.md'), 'utf8').catch(() => null);
    writeLine(written === null ? 'announcement.md was not written.\n' : `announcement.md says: ${written}`);
  }
  const [thread] = Threads.parse(JSON.parse((await handraise.read(['ls', '--json'])) || '[]'));
  await handraise.quietly(['down', '--stop-agents']);
  if (code !== 0) return;

  writeLine(bold('Try next'));
  const name = ownName(process.env);
  for (const [line, purpose] of [
    [`HANDRAISE_HOME=${workspace.state} ${name} logs ${thread?.id ?? ''}`, 'read again what the agent did'],
    [`${name} run "make the tests pass" --verify "npm test"`, 'in a project of yours, with your own login'],
    [`${name} open`, 'the web console: which agents wait for you, and what each of them did'],
    [`${name} --help`, 'all commands'],
  ])
    writeLine(`  ${cyan(line ?? '')}\n      ${purpose}`);
  if (!real) writeLine(`\nThis was a scripted model. With the real one: ${name} demo --real`);
}

const Threads = z.array(z.object({ id: z.string() }));
