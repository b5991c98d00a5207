// The first minutes with Handraise: work is given to a worker; a real Claude Code process does it, asks, gets its
// answers, and ends in an outcome. Without ANTHROPIC_API_KEY a scripted model stands in for the real one.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pc from 'picocolors';
import { openModel } from './demo/model.js';
import { OtherTerminal } from './demo/other-terminal.js';
import { Program } from './demo/program.js';
import { makeWorkspace } from './demo/workspace.js';

const workspace = await makeWorkspace();
const model = await openModel(workspace);
const handraise = new Program({
  cwd: workspace.path,
  // A home of its own, so that the demo meets neither your worker nor your threads.
  env: { ...model.env, HANDRAISE_HOME: workspace.state },
});
const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);

say(pc.bold('Handraise: a worker, a real Claude Code process, and you.'));
say(`The workspace is ${workspace.path}; the model is ${model.name}.\n`);

const other = process.stdin.isTTY ? null : new OtherTerminal(handraise, say);
const code = await handraise.show(['run', model.task], (line) => other?.hear(line));
await other?.done();
if (code === 0) {
  await handraise.show(['ls']);
  const written = await readFile(join(workspace.path, 'announcement.md'), 'utf8').catch(() => null);
  say(written === null ? 'Nothing was written.\n' : `announcement.md says: ${written}`);
}
await handraise.quietly(['down', '--stop-agents']);
await model.close();

if (code === 0) {
  say(pc.bold('Try next, in a folder of your own'));
  const command = 'node bin/handraise.js';
  for (const [args, purpose] of [
    ['up', 'keep a worker running, with its API'],
    [
      'run -C ../project "make the tests pass" --verify "npm test"',
      'work that is only done when a check says so',
    ],
    ['run -d --worktree "update the dependencies"', 'in the background, on a branch of its own'],
    ['inbox', 'who asks what'],
    ['--help', 'everything else'],
  ])
    say(`  ${pc.cyan(`${command} ${args}`)}\n      ${purpose}`);
  if (model.simulated) say(`\nWith ANTHROPIC_API_KEY set, npm run demo does the same with the real model.`);
}
process.exitCode = code;
