import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';

function ignore(): void {}

/** Which pager a person wants, as git finds it out; undefined for none. */
export function wantedPager(
  env: NodeJS.ProcessEnv,
  configured: () => string | undefined,
): string | undefined {
  const pager = env.GIT_PAGER ?? configured() ?? env.PAGER ?? 'less';
  return pager === '' || pager === 'cat' ? undefined : pager;
}

/** The user's own `core.pager`; a repository's is not asked, because it would be started. */
function configuredPager(): string | undefined {
  try {
    const found = execFileSync('git', ['config', '--global', '--get', 'core.pager'], {
      cwd: '/',
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 2000,
    });
    return found.replace(/\n$/, '');
  } catch {
    return undefined;
  }
}

/** Prints lines on stdout, through the person's pager where stdout is a terminal; who closes the pager has seen enough. */
export async function printPaged(
  lines: AsyncIterable<string>,
  { isWanted }: { readonly isWanted: boolean },
): Promise<void> {
  const pager = isWanted && process.stdout.isTTY ? wantedPager(process.env, configuredPager) : undefined;
  if (pager === undefined) {
    for await (const line of lines) process.stdout.write(`${line}\n`);
    return;
  }
  const child = spawn('/bin/sh', ['-c', pager], {
    stdio: ['pipe', 'inherit', 'inherit'],
    // What git gives its pagers: end when it fits, show colours, leave the screen as it is.
    env: { ...process.env, LESS: process.env.LESS ?? 'FRX', LV: process.env.LV ?? '-c' },
  });
  const ended = once(child, 'close');
  let isOpen = true;
  child.stdin.on('error', () => (isOpen = false));
  child.once('close', () => (isOpen = false));
  // Ctrl-C is the pager's, which has the terminal.
  process.on('SIGINT', ignore);
  try {
    for await (const line of lines) {
      if (!isOpen) break;
      if (!child.stdin.write(`${line}\n`)) await Promise.race([once(child.stdin, 'drain'), ended]);
    }
    child.stdin.end();
    await ended;
  } finally {
    process.off('SIGINT', ignore);
  }
}
