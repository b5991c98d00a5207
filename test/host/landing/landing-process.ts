import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { DispatchRequest } from '../../../src/protocol/dispatch.js';
import type { ThreadId } from '../../../src/protocol/id.js';
import type { LandingStage } from './landing-stage.js';

const program = new URL('../landing-host.js', import.meta.url).pathname;

type Start = { readonly kill: string } & (
  | {
      readonly verb: 'merge' | 'apply' | 'pr' | 'discard' | 'watch' | 'rm' | 'prune' | 'tidy';
      readonly threadId: ThreadId;
    }
  | { readonly verb: 'work'; readonly work: DispatchRequest }
);

/** Lands in a process of its own that is killed at a moment; gives the signal that ended it. */
export async function landingProcess({ at }: LandingStage, start: Start): Promise<unknown> {
  await at.leave();
  const argument = JSON.stringify({ home: at.home, env: at.stage.env, ...start });
  const child = spawn(process.execPath, [program, argument], { stdio: 'ignore', env: at.stage.env });
  const [, signal]: unknown[] = await once(child, 'exit');
  return signal;
}
