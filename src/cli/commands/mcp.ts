import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Command } from 'commander';
import { Client } from '../../client/client.js';
import type { WorkerAddress } from '../../client/connection.js';
import { homeFolder, packageVersion } from '../../compose.js';
import { openMcpServer } from '../../mcp/open-server.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import { ensureWorker, leavingArgs } from '../background-worker.js';
import { writeJson, writeLine, writeMessage } from '../output.js';
import { readPipelineSource } from '../pipeline-source.js';
import { isElsewhere, openClient, workerAddress } from '../worker-address.js';

/** `handraise mcp`: the worker as an MCP server for other programs. */
export function addMcp(program: Command): void {
  program
    .command('mcp')
    .summary('serve MCP to another program')
    .description(
      'Serves MCP over standard input and output, for Claude Code, Codex, OpenCode and other programs: tools that give ' +
        'work, list it, look at it, wait for it, answer what it asks, show what it changed, and run skills. ' +
        'The worker serves the same over HTTP at /mcp.',
    )
    .option('--http', 'print the address of MCP over HTTP instead')
    .option('--json', 'print the address as JSON')
    .addHelpText('after', help)
    .action(serveMcp);
}

const help = `
Examples:
  $ claude mcp add handraise -- handraise mcp
  $ codex mcp add handraise -- handraise mcp
  $ handraise mcp --http

Give a program a token of its own, and answers are recorded in its name:
  $ handraise token add my-editor
  $ claude mcp add handraise --env HANDRAISE_TOKEN=… -- handraise mcp
`;

/** A client that sends a longer line is not one. */
const longestMessage = 4 * 1024 * 1024;

async function serveMcp({ http, json }: { readonly http?: true; readonly json?: true }): Promise<void> {
  if (http) return await tellAddress(json === true);
  const client = workerClient(process.env);
  const server = openMcpServer({
    clientOf: () => client,
    folder: process.cwd(),
    readPipeline: readPipelineSource,
    version: packageVersion(),
    now: Date.now,
  });
  // What cannot be read is told here; the other program gets an answer to each of its requests.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
  server.onerror = (error) => writeMessage(errorSentence(error));
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: longestMessage,
  });
  const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close'), closed(server)]);
  await server.connect(transport);
  await ended;
  await server.close();
}

/** The worker of HANDRAISE_URL, else that of the home, with the token that this program was given; it is started when it is needed. */
function workerClient(env: NodeJS.ProcessEnv): Client {
  if (isElsewhere(env)) return openClient(env);
  const home = homeFolder(env);
  return new Client({ locate: () => locate(home, env['HANDRAISE_TOKEN']) });
}

async function locate(home: string, token: string | undefined): Promise<WorkerAddress> {
  let address = await workerAddress(home);
  if (!address) {
    await ensureWorker(home, { args: leavingArgs });
    address = await workerAddress(home);
  }
  if (!address) throw new Failure('unavailable', 'The worker has ended again. Try again.');
  return { ...address, ...(token && { token }) };
}

function closed(server: { onclose?: (() => void) | undefined }): Promise<void> {
  return new Promise((resolve) => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
    server.onclose = resolve;
  });
}

async function tellAddress(isJson: boolean): Promise<void> {
  const address = isElsewhere()
    ? process.env['HANDRAISE_URL']
    : (await workerAddress(homeFolder(process.env)))?.url;
  if (address === undefined)
    throw new Failure('unavailable', 'No worker is running. Start one with: handraise up');
  const url = new URL('/mcp', address).href;
  if (isJson) return writeJson({ url });
  writeLine(url);
  writeMessage(
    'Send a token with every request, as "Authorization: Bearer …". Make one with: handraise token add NAME',
  );
}
