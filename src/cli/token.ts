import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { homeFolder, openTokens } from '../compose.js';
import { age } from '../domain/age.js';
import { lineWidth, writeJson, writeLine, writeMessage } from './output.js';
import { coloursOf } from './terminal/colours.js';
import { tableLines } from './terminal/table.js';
import { openClient } from './worker-address.js';

/** `handraise token`: who may speak to the worker. */
export function addToken(program: Command): void {
  const token = program
    .command('token')
    .summary('manage who may speak to the worker')
    .description('Manages tokens. A name is what is recorded of everything that is done with its token.')
    .addHelpText('after', examples);

  token
    .command('add')
    .description('Makes a token and prints it, this once.')
    .argument('<name>', 'whose it is')
    .option('--agent', 'for an agent: it may give work, but never answer, approve or cancel a prompt')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise token add phone\n')
    .action(async (name: string, { agent, json }: { agent?: true; json?: true }) => {
      const scope = agent ? 'agent' : 'full';
      const made = (await tokens()).add(name, scope);
      if (json) writeJson({ name, scope, token: made });
      else writeLine(made);
      writeMessage('keep it: it is stored nowhere and shown this once');
    });

  token
    .command('ls')
    .description('Lists the tokens with a name.')
    .option('--json', 'print a JSON array')
    .addHelpText('after', '\nExamples:\n  $ handraise token ls\n')
    .action(async ({ json }: { json?: true }) => list(await tokens(), json));

  token
    .command('rm')
    .description('Removes a token; whoever has it is refused from now on.')
    .argument('<name>', 'whose it is')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise token rm phone\n')
    .action(async (name: string, { json }: { json?: true }) => {
      (await tokens()).remove(name);
      if (json) writeJson({ removed: name });
      writeMessage(`the token of ${name} is refused from now on`);
    });

  token
    .command('rotate')
    .description("Replaces the owner's token; commands of this machine use the new one at once.")
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise token rotate\n')
    .action(async ({ json }: { json?: true }) => {
      (await tokens()).rotate();
      if (json) writeJson({ rotated: true });
      writeMessage('the old token is refused from now on; handraise token show prints the new one');
    });

  token
    .command('link')
    .description('Prints a link that signs a browser in to the web console, once, within ten minutes.')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  $ open "$(handraise token link)"\n')
    .action(async ({ json }: { json?: true }) => {
      const url = await openClient().loginLink();
      if (json) writeJson({ url });
      else writeLine(url);
    });

  token
    .command('show')
    .description("Prints the owner's token.")
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  $ curl -H "Authorization: Bearer $(handraise token show)" …\n')
    .action(async ({ json }: { json?: true }) => {
      await tokens();
      const text = readFileSync(join(homeFolder(process.env), 'token'), 'utf8').trim();
      if (json) writeJson({ token: text });
      else writeLine(text);
    });
}

type Tokens = Awaited<ReturnType<typeof openTokens>>;

const examples = `
Examples:
  $ handraise token add phone
  $ handraise token add ci-agent --agent
  $ handraise token ls
`;

/** Opening them makes the owner's token where there is none yet. */
function tokens(): Promise<Tokens> {
  return openTokens(homeFolder(process.env));
}

function list(known: Tokens, json: true | undefined): void {
  const rows = known.list();
  if (json) return writeJson(rows);
  const cells = rows.map(({ name, scope, createdAt }) => [
    { text: name },
    { text: scope },
    { text: age(createdAt, Date.now()) },
  ]);
  const columns = [{ header: 'NAME' }, { header: 'SCOPE' }, { header: 'AGE' }];
  const options = { width: lineWidth(process.stdout), paintHeader: coloursOf(process.stdout).dim };
  for (const line of tableLines(columns, cells, options)) writeLine(line);
}
