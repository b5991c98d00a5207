import type { Command } from 'commander';
import { isInsideAgent } from '../compose.js';
import { Failure } from '../protocol/failure.js';

/**
 * What may be called inside of an agent, too: commands that do nothing but ask a worker, which looks itself who calls,
 * and those that only tell. All others act on the owner's files, as the owner.
 */
const forAnybody = new Set(
  `run, wait, cancel, retry, send, inbox, answer, approve, deny, ls, show, logs, status, down, mcp, sim, completion, help,
   config, config ls, config get, config path`.split(/,\s+/),
);

/** Refuses a command of the owner that an agent calls. */
export function refuseAgentCommand(program: Command, command: Command): void {
  const names: string[] = [];
  for (let each: Command | null = command; each && each !== program; each = each.parent)
    names.unshift(each.name());
  // The commands below these are as free as they are, unless they are a group with both kinds.
  const isFree = forAnybody.has(names.join(' ')) || (names[0] !== 'config' && forAnybody.has(names[0] ?? ''));
  if (!isFree) refuseInsideAgent(`run handraise ${names.join(' ')}`);
}

/** Refuses what only the owner does where one of our agents has started this process. */
export function refuseInsideAgent(what: string): void {
  if (!isInsideAgent(process.env)) return;
  throw new Failure(
    'forbidden',
    `Only a person can ${what}, and an agent started this process. Use your own terminal. To let an agent start work, create a token: handraise token add NAME --agent --workspace DIR. The agent uses it with HANDRAISE_URL and HANDRAISE_TOKEN.`,
  );
}
