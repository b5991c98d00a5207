import type { Container, UsualContainer } from '../../protocol/container.js';
import type { RuntimeName } from '../../protocol/posture.js';
import { ownImage } from './own-image.js';

/** The container that the settings describe; unless an image is named, of the one that we build for the runtime. */
export function usualContainer(
  { isRule: _isRule, image, ...usual }: UsualContainer,
  runtime: RuntimeName,
): Container {
  return { ...usual, image: image ?? ownImage(runtime) };
}
