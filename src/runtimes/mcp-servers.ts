import { join } from 'node:path';
import { readBoundedFile } from '../process/files/bounded-file.js';
import { type McpServer, McpServerFile } from '../protocol/posture.js';
import type { Launch } from './runtime.js';

const fileLimit = 2 ** 20;

/** The name of the server that holds our own tools; nobody else can take it. */
export const builtInServer = 'handraise';

/** The same in a launch: parents of an older runner know it by another name. */
export function ownServerName({ compat }: Pick<Launch, 'compat'>): string {
  return compat ?? builtInServer;
}

export interface ChosenServers {
  readonly servers: Record<string, McpServer>;
  readonly warnings: string[];
}

type ServerPlace = Pick<Launch, 'cwd' | 'projectCode' | 'mcpServers' | 'env' | 'compat'>;

/** The project's `.mcp.json`, then the user's; later wins, except over the built-in name. */
export function chosenServers(launch: ServerPlace): ChosenServers {
  const project = projectServers(launch);
  const warnings = [...project.warnings];
  const servers: Record<string, McpServer> = {};
  for (const [origin, from] of [
    ['.mcp.json', project.servers],
    ['the MCP servers file', launch.mcpServers],
  ] as const) {
    for (const [name, server] of Object.entries(from)) {
      if (name === ownServerName(launch)) {
        warnings.push(
          `The MCP server "${name}" of ${origin} is ignored: the name belongs to the built-in server.`,
        );
      } else {
        servers[name] = expand(server, launch.env);
      }
    }
  }
  return { servers, warnings };
}

function projectServers({ cwd, projectCode }: ServerPlace): ChosenServers {
  if (projectCode !== 'workspace') {
    const approved = projectCode.files.find(({ path }) => path === '.mcp.json');
    return approved ? serversIn(approved.text, '.mcp.json') : { servers: {}, warnings: [] };
  }
  const file = join(cwd, '.mcp.json');
  const read = readBoundedFile(file, { limit: fileLimit, followLink: true });
  if (read.ok) return serversIn(read.text, file);
  return { servers: {}, warnings: read.missing ? [] : [`${file} is left out: ${read.error}.`] };
}

function serversIn(text: string, file: string): ChosenServers {
  try {
    const parsed = McpServerFile.safeParse(JSON.parse(text));
    if (parsed.success) return { servers: parsed.data.mcpServers, warnings: [] };
  } catch {
    // Said below: a project's broken file must not keep the agent from working.
  }
  return { servers: {}, warnings: [`${file} is not a valid list of MCP servers; its servers are left out.`] };
}

/** `${NAME}` and `${NAME:-default}` in every string, as users of `.mcp.json` know it. */
function expand(server: McpServer, env: Readonly<Record<string, string>>): McpServer {
  const expanded = JSON.parse(JSON.stringify(server), (_key, value: unknown) =>
    typeof value === 'string' ? expandText(value, env) : value,
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same shape, with other strings in it
  return expanded as McpServer;
}

/** The variables of one text; exported for the check of its time. */
export function expandText(text: string, env: Readonly<Record<string, string>>): string {
  const variable = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;
  // Behind the last brace nothing can end, and every beginning there would be read to the end of the text.
  const end = text.lastIndexOf('}') + 1;
  const expanded = text
    .slice(0, end)
    .replace(variable, (whole, name: string, fallback?: string) => env[name] ?? fallback ?? whole);
  return expanded + text.slice(end);
}

/** A server that is started as a program, and not reached over the network. */
export function isProgramServer(server: McpServer): server is Extract<McpServer, { command: string }> {
  return 'command' in server;
}
