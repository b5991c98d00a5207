import * as z from 'zod';

/** A host name as a client sends it, with or without a port: no scheme, no path, no wildcard; null for anything else. */
export function readHost(given: string): URL | null {
  const url = URL.canParse(`http://${given}`) ? new URL(`http://${given}`) : null;
  const isPlain = url && url.host !== '' && url.host === given.toLowerCase() && !given.includes('*');
  return isPlain ? url : null;
}

export const HostName = z
  .string()
  .refine((text) => readHost(text) !== null, 'It must be a host name, with or without a port');
