import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStage } from '../../harness/stage.js';
import type { ChaosDatabase } from './chaos-database.js';
import { type ChaosWay, openGround } from './chaos-way.js';
import { OtherWorker } from './other-worker.js';

// Long enough for a machine that is busy with other tests, where even a heartbeat takes its time.
const times = { leaseSeconds: 5, runnerDeadlineSeconds: 8, marginSeconds: 5 };
/** More than lease, deadline and margin together: if clocks were compared, somebody would be taken for dead at once. */
const skewMs = 5 * 60_000;

/** A worker that may be dead or cut off at the moment. */
export interface FleetMember {
  readonly name: string;
  readonly way: ChaosWay;
  /** How much its clock is ahead. */
  readonly skewMs: number;
  worker: OtherWorker | null;
}

/** Three workers on one database, each with a way of its own to it; the clock of the last one is wrong. */
export class ChaosFleet {
  readonly database: ChaosDatabase;
  readonly shared: string;
  readonly members: readonly FleetMember[];
  /** What stands between the workers and the database. */
  readonly ground: string;
  /** What the workers of former lives said. */
  readonly log: string[] = [];
  readonly #start: (member: FleetMember) => Promise<OtherWorker>;

  private constructor(parts: {
    readonly database: ChaosDatabase;
    readonly shared: string;
    readonly members: readonly FleetMember[];
    readonly ground: string;
    readonly start: (member: FleetMember) => Promise<OtherWorker>;
  }) {
    this.database = parts.database;
    this.shared = parts.shared;
    this.members = parts.members;
    this.ground = parts.ground;
    this.#start = parts.start;
  }

  static async start(): Promise<ChaosFleet> {
    const stage = await openStage('claude');
    onTestFinished(async () => await stage[Symbol.asyncDispose]());
    const { ANTHROPIC_API_KEY: _key, ...env } = stage.env;
    // With a subscription, Claude Code says when a usage limit ends.
    const signedIn = { ...env, CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-x' };
    const model = { port: Number(new URL(stage.simulator.url).port), home: stage.home };
    const { database, ways, kind } = await openGround(model);
    const shared = join(stage.home, 'shared');
    const members = ways.map(
      (way, index): FleetMember => ({
        name: ['anna', 'ben', 'cleo'][index] ?? `worker-${index}`,
        way,
        skewMs: index === ways.length - 1 ? skewMs : 0,
        worker: null,
      }),
    );
    const fleet = new ChaosFleet({
      database,
      shared,
      members,
      ground: kind,
      start: async (member) => {
        const settings = {
          ...times,
          workerName: member.name,
          slots: 8,
          retries: 3,
          idleTimeoutMinutes: 15,
          keepSpare: false,
          sharedFolders: [shared],
          store: member.way.url,
        };
        const clock = new URL('./skewed-clock.js', import.meta.url).pathname;
        return await OtherWorker.start(
          { home: join(stage.home, member.name), settings },
          {
            env: { ...signedIn, SKEW_MS: String(member.skewMs) },
            before: member.way.before,
            preload: member.skewMs === 0 ? [] : [clock],
            log: (line) => fleet.log.push(`${new Date().toISOString()} ${member.name}: ${line}`),
          },
        );
      },
    });
    for (const member of members) await fleet.revive(member);
    return fleet;
  }

  /** Starts a worker, again where the server was away at that moment, as a supervisor does. */
  async revive(member: FleetMember): Promise<void> {
    let worker = await this.#start(member);
    while (worker.isGone) worker = await this.#start(member);
    member.worker = worker;
  }

  /** Ends a worker at once; its agents go on for as long as they may. */
  kill(member: FleetMember): void {
    member.worker?.process.kill('SIGKILL');
    member.worker = null;
  }

  /** Those that can be asked for something. */
  get reachable(): readonly OtherWorker[] {
    return this.members.flatMap(({ worker, way }) =>
      worker && !worker.isGone && !way.isCut ? [worker] : [],
    );
  }
}
