import { outsideRuntime } from '../runtimes/outside/index.js';
import { runtimeContract } from './contract.js';
import type { RuntimeRig } from './rig.js';
import { openTestStage, type StagePlace } from './test-stage.js';

/** An adapter in a package of its own, and how a scripted message makes its agent act. */
export interface TestedPackage extends Omit<RuntimeRig, 'runtime' | 'args' | 'open' | 'news'> {
  /** The folder of the package, which holds its package.json. */
  readonly folder: string;
  /** What the agent is started with: at least a PATH, and whatever leads it to the scripted model. */
  readonly env: (place: StagePlace) => Record<string, string>;
}

/** Runs the contract that every runtime keeps against the adapter of a package; call it in a test file of vitest. */
export async function runtimePackageContract({ folder, env, ...acts }: TestedPackage): Promise<void> {
  runtimeContract({
    ...acts,
    runtime: await outsideRuntime('npm:tested', folder),
    args: ['--command', folder],
    open: async () => await openTestStage(env),
  });
}
