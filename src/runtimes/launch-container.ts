import { dirname, join } from 'node:path';
import { workspaceInside } from '../domain/container/container-arguments.js';
import { environmentWithHome } from '../domain/container/container-environment.js';
import { buildCommand } from '../domain/container/own-image.js';
import { findExecutable } from '../process/children/executable.js';
import { SpawnError } from '../process/children/spawn-error.js';
import { ContainerEngine, type EngineClient } from '../process/containers/engine.js';
import type { Container } from '../protocol/container.js';
import { Failure } from '../protocol/failure.js';
import type { RuntimeName } from '../protocol/posture.js';

type Environment = Readonly<Record<string, string>>;

/** The container of a launch, and what is needed to start it. */
export interface LaunchContainer {
  readonly spec: Container;
  readonly runtime: RuntimeName;
  readonly client: EngineClient;
  /** Where this installation keeps the homes of agents in containers, and the sockets to them. */
  readonly folder: string;
}

// What leads an engine's client to its daemon.
const clientVariables =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|XDG_(RUNTIME|CONFIG|DATA)_.*|(DOCKER|CONTAINERS?|PODMAN)_.*|SSH_AUTH_SOCK)$/;

/** Throws a Failure where the engine's program is not there. */
export function launchContainer(
  spec: Container,
  {
    runtime,
    env,
    folder,
  }: { readonly runtime: RuntimeName; readonly env: Environment; readonly folder: string },
): LaunchContainer {
  return { spec, runtime, client: engineClient(spec, env), folder };
}

/** The folder of a home in which containers have theirs. */
export function containersFolder(stateDir: string): string {
  return join(stateDir, 'containers');
}

/** The home whose containers have theirs in a folder. */
export function homeOf(containers: string): string {
  return dirname(containers);
}

/** The folder that agents of a runtime have as their home, with their login and their sessions. */
export function containerHome(folder: string, runtime: RuntimeName): string {
  return join(folder, 'home', runtime.replaceAll(/[^\w-]/g, '-'));
}

/** The workspace as the agent sees it. */
export function agentFolder({
  cwd,
  container,
}: {
  readonly cwd: string;
  readonly container?: LaunchContainer | undefined;
}): string {
  return container ? workspaceInside : cwd;
}

/** The environment in which a runtime's files are looked for, wherever its agent works. */
export function placeEnvironment(
  env: Environment,
  {
    runtime,
    container,
    folder,
  }: { readonly runtime: RuntimeName; readonly container: Container | undefined; readonly folder: string },
): Environment {
  return container ? environmentWithHome(env, containerHome(folder, runtime)) : env;
}

export function engineClient(
  { engine = 'docker' }: Pick<Container, 'engine'>,
  env: Environment,
): EngineClient {
  try {
    return {
      file: findExecutable(engine, { path: env['PATH'], cwd: '/' }),
      env: Object.fromEntries(Object.entries(env).filter(([name]) => clientVariables.test(name))),
    };
  } catch (error) {
    if (!(error instanceof SpawnError)) throw error;
    throw new Failure(
      'not_installed',
      `${engine === 'docker' ? 'Docker' : 'Podman'} is not installed: there is no ${engine} in the PATH. Install it, or choose another engine: handraise config set containerEngine ${engine === 'docker' ? 'podman' : 'docker'}`,
      { cause: error },
    );
  }
}

/** Throws a Failure where the engine does not answer, or has no such image. */
export async function expectImage({ image, engine }: Container, client: EngineClient): Promise<void> {
  const found = await new ContainerEngine(client).hasImage(image);
  if (found) return;
  if (found === undefined)
    throw new Failure(
      'not_ready',
      `${engine ?? 'docker'} is installed, but its engine does not answer. Start it, and see to it that you may use it: ${engine ?? 'docker'} version`,
    );
  throw new Failure(
    'not_ready',
    `${engine === 'podman' ? 'Podman' : 'Docker'} has no image ${image}. Build it: ${buildCommand(image, engine)}`,
  );
}
