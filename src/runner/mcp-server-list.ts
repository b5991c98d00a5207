import * as z from 'zod';
import { McpServer } from '../protocol/posture.js';

const Named = z.looseObject({ name: z.string().min(1), enabled: z.boolean().optional() });

/**
 * The servers of a list in which each says its own name, as clients of the older runner write it: one that is switched off is
 * left out, and one that cannot be used costs nobody the others.
 */
export function serversByName(
  list: readonly unknown[],
  warn: (message: string) => void,
): Record<string, McpServer> {
  const servers = new Map<string, McpServer>();
  for (const [place, entry] of list.entries()) {
    const named = Named.safeParse(entry);
    const { name = '', enabled = true, ...rest } = named.data ?? {};
    const server = McpServer.safeParse(rest);
    if (!enabled) continue;
    if (named.success && server.success) servers.set(name, server.data);
    else warn(`The MCP server ${nameOf(name, place)} has no name, command or address, and is left out.`);
  }
  return Object.fromEntries(servers);
}

function nameOf(name: string, place: number): string {
  return name === '' ? `at place ${place + 1}` : JSON.stringify(name.slice(0, 200));
}
