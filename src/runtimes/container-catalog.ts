import { sweepContainers } from '../process/containers/container-labels.js';
import type { Posture, RuntimeName } from '../protocol/posture.js';
import {
  containersFolder,
  engineClient,
  expectImage,
  type LaunchContainer,
  launchContainer,
  placeEnvironment,
} from './launch-container.js';

type Environment = Readonly<Record<string, string>>;

/** What a worker knows of the containers of its home. */
export class ContainerCatalog {
  readonly folder: string;
  readonly #env: Environment;

  constructor(env: Environment, home: string) {
    this.#env = env;
    this.folder = containersFolder(home);
  }

  /** The container of a posture; throws a Failure where its engine is not installed. */
  of(runtime: RuntimeName, { container }: Posture): LaunchContainer | undefined {
    return container && launchContainer(container, { runtime, env: this.#env, folder: this.folder });
  }

  /** Where a runtime's files are looked for, wherever its agent works. */
  placeOf(runtime: RuntimeName, { container, env }: Posture): Environment {
    return placeEnvironment({ ...this.#env, ...env }, { runtime, container, folder: this.folder });
  }

  async expectImage({ container }: Posture): Promise<void> {
    if (container) await expectImage(container, engineClient(container, this.#env));
  }

  async sweep({ container }: Posture): Promise<void> {
    if (!container) return;
    try {
      await sweepContainers(engineClient(container, this.#env), this.folder);
    } catch {
      // Without its engine there is nothing left to remove, or nobody who could.
    }
  }
}
