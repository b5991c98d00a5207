import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import { homeFolder } from '../../compose.js';
import { findExecutable } from '../../process/children/executable.js';
import { ensureWorker, leavingArgs } from '../background-worker.js';
import { writeJson, writeLine, writeMessage } from '../output.js';
import { isElsewhere, openClient } from '../worker-address.js';

/** `handraise open`: the web console, signed in. */
export function addOpen(program: Command): void {
  program
    .command('open')
    .summary('open the web console')
    .description(
      'Opens the web console in your browser, signed in. If no worker is running, one is started in the background. ' +
        'Without a display, the link is printed; it works once, within ten minutes.',
    )
    .option('--print', 'print the link and open nothing')
    .option('--json', 'print the link as JSON, and whether a browser was opened')
    .addHelpText('after', '\nExamples:\n  $ handraise open\n  $ ssh box handraise open --print\n')
    .action(open);
}

async function open({ print, json }: { readonly print?: true; readonly json?: true }): Promise<void> {
  if (!isElsewhere()) await ensureWorker(homeFolder(process.env), { args: leavingArgs });
  const url = await openClient().loginLink();
  const isOpened = !print && (await browse(url, { env: process.env, platform: process.platform }));
  if (json) writeJson({ url, isOpened });
  else if (isOpened) writeMessage('The web console is open in your browser.');
  else writeLine(url);
  if (!isOpened && !json) writeMessage('The link signs one browser in, once, within ten minutes.');
}

/** Gives an address to whatever opens addresses here; false when there is nothing that could. */
async function browse(
  url: string,
  { env, platform }: { readonly env: NodeJS.ProcessEnv; readonly platform: NodeJS.Platform },
): Promise<boolean> {
  if (platform !== 'darwin' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false;
  try {
    const file = findExecutable(platform === 'darwin' ? 'open' : 'xdg-open', { path: env.PATH, cwd: '/' });
    const [code] = await once(spawn(file, [url], { stdio: 'ignore' }), 'exit');
    return code === 0;
  } catch {
    return false;
  }
}
