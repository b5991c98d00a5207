import { randomInt } from 'node:crypto';

// Above those that worktrees get, and below those that systems give to outgoing connections (Linux from 32768, macOS from 49152).
const ports = { first: 30_000, last: 32_767 };

/**
 * A port for the server of an agent. OpenCode, told to find one itself, takes 4096 first, which is where its user's own
 * server belongs (measured with 1.18.33). Whoever finds this one taken ends at once, and is started again on another.
 */
export function randomPort(): string {
  return String(randomInt(ports.first, ports.last + 1));
}
