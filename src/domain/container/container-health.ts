/** What an engine says of a container that runs. */
export interface ContainerHealth {
  readonly isPaused: boolean;
  /** The word of the image's own check, such as `healthy`; null where the image has none. */
  readonly health: string | null;
}

/** What is news for who follows the agent: nothing moves in a container that is paused, and an image knows when it is unwell. */
export function healthNews(before: ContainerHealth, now: ContainerHealth): string[] {
  const wasUnwell = before.health === 'unhealthy';
  const isUnwell = now.health === 'unhealthy';
  return [
    ...(now.isPaused && !before.isPaused
      ? ['Somebody has paused the container: the agent does nothing until it is resumed.']
      : []),
    ...(before.isPaused && !now.isPaused ? ['The container was resumed, and the agent goes on.'] : []),
    ...(isUnwell && !wasUnwell ? ['The container is unhealthy, as the check of its image says.'] : []),
    ...(wasUnwell && now.health === 'healthy' ? ['The container is healthy again.'] : []),
  ];
}
