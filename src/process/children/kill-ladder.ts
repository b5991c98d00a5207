import { setTimeout as delay } from 'node:timers/promises';
import { killLeftovers, type Leftovers } from '../families/leftovers.js';
import { ProcessFamily } from '../families/process-family.js';
import { type ProcessKey, sameProcess } from '../families/process-key.js';
import type { EnvironmentMarker } from '../families/process-source.js';
import { findProcess } from '../families/process-table.js';
import { signalGroup } from '../families/signal-process.js';
import type { Child, ChildExit } from './child.js';

/** The ways to make a process end, politest first. */
export type Rung = 'ask' | 'stdin' | 'sigterm' | 'sigkill';

/** How long each rung may take, what is left may take to end by itself, and the killing of it. */
export type Grace = Record<Rung | 'settle' | 'leftovers', number>;

// Codex takes up to 4.9 s to end its commands after a SIGTERM or a closed stdin.
const GRACE_MS: Grace = {
  ask: 5_000,
  stdin: 6_000,
  sigterm: 6_000,
  sigkill: 2_000,
  settle: 300,
  leftovers: 2_000,
};

/** What to end, and how politely. */
export type EndRequest = {
  /** A child of ours, or a process that an earlier life of ours started. */
  target: Child | ProcessKey;
  /** What the environment of everything that belongs to the target carries. */
  marker?: EnvironmentMarker;
  /** The runtime's own way of being told to end. */
  ask?: () => unknown;
  closeStdin?: boolean;
  graceMs?: Partial<Grace>;
  /** Aborted, the ladder goes to SIGKILL at once. */
  signal?: AbortSignal;
};

/** What ended the process: a rung, itself before any rung, or nothing so far. */
export type EndReport = Leftovers & { endedBy: Rung | 'itself' | null; exit: ChildExit | null };

/**
 * Ends a process and everything that it started.
 * The process group is not enough: Claude's Bash tool and OpenCode run commands in sessions of their own, and a
 * killed Codex leaves grandchildren. So the tree is remembered before each rung, and at the end whatever still
 * lives of it or carries the marker is killed as well. No pid is signalled unless its start time shows that it
 * is still the same process.
 */
export async function endProcess(request: EndRequest): Promise<EndReport> {
  const { target, marker, signal } = request;
  const grace = { ...GRACE_MS, ...request.graceMs };
  const isChild = 'exited' in target;
  const root = isChild ? target.identity : target;
  const family = new ProcessFamily({ root, leadsGroup: isChild, marker });
  const watch = new AbortController();
  const ended = isChild ? target.exited : untilGone(root, watch.signal);

  const rung = await climb(stepsOf(request, root), { family, grace, ended, signal });
  watch.abort();
  const leftovers = await killLeftovers(family, { settleMs: grace.settle, killMs: grace.leftovers });

  const lives = leftovers.alive.some((row) => sameProcess(row.identity, root));
  if (lives) return { endedBy: null, exit: null, ...leftovers };
  return { endedBy: rung ?? 'sigkill', exit: await ended, ...leftovers };
}

type Step = { rung: Rung; act: () => unknown };

function stepsOf(request: EndRequest, root: ProcessKey): Step[] {
  const { target, ask, closeStdin } = request;
  const stdin = closeStdin && 'stdin' in target ? target.stdin : null;
  return [
    ...(ask ? [{ rung: 'ask' as const, act: ask }] : []),
    ...(stdin ? [{ rung: 'stdin' as const, act: () => void stdin.end() }] : []),
    { rung: 'sigterm', act: () => void signalGroup(root, 'SIGTERM') },
    { rung: 'sigkill', act: () => void signalGroup(root, 'SIGKILL') },
  ];
}

type Climb = {
  family: ProcessFamily;
  grace: Grace;
  ended: Promise<unknown>;
  signal: AbortSignal | undefined;
};

async function climb(steps: Step[], { family, grace, ended, signal }: Climb): Promise<EndReport['endedBy']> {
  const over = ended.then(() => true);
  if (await Promise.race([over, delay(0, false)])) return 'itself';
  for (const { rung, act } of steps) {
    const isLast = rung === 'sigkill';
    if (signal?.aborted && !isLast) continue;
    family.look();
    const patience = new AbortController();
    const signals = signal && !isLast ? [patience.signal, signal] : [patience.signal];
    const isOver = await Promise.race([over, failure(act), elapsed(grace[rung], AbortSignal.any(signals))]);
    patience.abort();
    if (isOver) return rung;
  }
  return null;
}

// Settles only when the act fails, because then there is nothing to wait for.
function failure(act: () => unknown): Promise<false> {
  return new Promise((resolve) => {
    Promise.resolve()
      .then(act)
      .catch(() => resolve(false));
  });
}

async function elapsed(ms: number, signal: AbortSignal): Promise<false> {
  await delay(ms, undefined, { signal }).catch(() => {});
  return false;
}

// A process that is not our child tells nobody that it ended.
async function untilGone(identity: ProcessKey, signal: AbortSignal): Promise<null> {
  while (findProcess(identity) !== null && !signal.aborted) await delay(20);
  return null;
}
