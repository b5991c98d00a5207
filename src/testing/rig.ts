import type { Runtime, RuntimeFact } from '../runtimes/runtime.js';
import { Driver, type DriverOptions } from './driver.js';
import type { TestStage } from './test-stage.js';

/** A runtime with its real binary, and how the scripted model makes it act. */
export interface RuntimeRig {
  readonly runtime: Runtime;
  /** What a runner of it is started with besides its name. */
  readonly args?: readonly string[];
  /** Whether the agent tells of its tools and of the model's server, or only prints text. */
  readonly tells: 'everything' | 'text';
  /** Whether the agent tells what its tools printed; unless it says so, it does. */
  readonly tellsOutput?: false;
  /** Whether a refusal ends the agent's own turn, so that the model goes on only because it is told of it in a message. */
  readonly refusalEndsTurn?: true;
  /** Models that it takes; the model's server hears what stands behind the last slash. */
  readonly models?: readonly [string, string];
  /** What the command line of the agent itself has, and that of nothing else has. */
  readonly process: string;
  open(): Promise<TestStage>;
  /** A directive that runs a command line. */
  shell(command: string): string;
  /** A directive that runs a command line which the agent may not run unasked. */
  asking(command: string): string;
  /** Says to the adapter's translator what nobody has heard of. */
  news?(raw: Record<string, unknown>): RuntimeFact[];
  /** Makes the agent propose this plan; gives the message that does so. */
  plan?(runner: Driver, stage: TestStage, text: string): Promise<string>;
}

/** A parent of a runner that hosts the rig's agent. */
export function drive(
  { runtime, args: own = [] }: RuntimeRig,
  stage: TestStage,
  { args = [], ...options }: DriverOptions = {},
): Driver {
  return new Driver(stage, { ...options, args: ['--runtime', runtime.name, ...own, ...args] });
}
