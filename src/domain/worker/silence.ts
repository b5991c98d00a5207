// Three heartbeats.
const silentMs = 30_000;

/**
 * Whether another worker has shown no sign of life for a while, by the clock of whoever looks. A choice among several depends on
 * it, and what is shown: a clock that is wrong costs nothing else.
 */
export function isSilent(
  { id, heartbeatAt }: { readonly id: string; readonly heartbeatAt: string },
  { self, now }: { readonly self: string; readonly now: number },
): boolean {
  return id !== self && now - Date.parse(heartbeatAt) > silentMs;
}
