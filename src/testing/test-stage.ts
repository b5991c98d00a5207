import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Simulator, startSimulator } from '../simulator/index.js';

/** A scripted model, and a private home in which one agent plays. */
export interface TestStage extends AsyncDisposable {
  readonly simulator: Simulator;
  readonly home: string;
  readonly workspace: string;
  /** What a runner is started with. */
  readonly env: Record<string, string>;
}

/** What an agent's environment may be made of. */
export type StagePlace = Pick<TestStage, 'simulator' | 'home' | 'workspace'>;

/** Opens a stage in the folder for temporary files; leaving it removes its files. */
export async function openTestStage(env: (place: StagePlace) => Record<string, string>): Promise<TestStage> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'handraise-stage-')));
  const [workspace, tmp] = [join(home, 'workspace'), join(home, 'tmp')];
  for (const folder of [workspace, tmp]) mkdirSync(folder);
  const simulator = await startSimulator();
  const place = { simulator, home, workspace };
  return {
    ...place,
    env: { HOME: home, TMPDIR: tmp, ...env(place) },
    async [Symbol.asyncDispose]() {
      await simulator[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
