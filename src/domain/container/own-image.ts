import type { ContainerEngineName } from '../../protocol/container.js';
import type { RuntimeName } from '../../protocol/posture.js';

/** The image that `handraise container build` makes for a runtime. */
export function ownImage(runtime: RuntimeName): string {
  return `handraise-${runtime.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

/** The command that builds an image under this name; for an image of somebody else's, where to read how. */
export function buildCommand(image: string, engine: ContainerEngineName = 'docker'): string {
  const [, protocol, name] = /^handraise-(?:(acp)-)?([a-z0-9-]+)$/.exec(image) ?? [];
  if (name === undefined) return 'handraise container build --help (docs/containers.md)';
  const runtime = protocol === undefined ? name : `${protocol}:${name}`;
  return `handraise container build ${runtime}${engine === 'docker' ? '' : ` --engine ${engine}`}`;
}
