import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { homeFolder, openTokens } from '../../compose.js';
import { age } from '../../domain/words/age.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { Scope } from '../../protocol/scope.js';
import { lineWidth, writeJson, writeLine, writeMessage } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { tableLines } from '../terminal/table.js';
import { openClient, workerAddress } from '../worker-address.js';

/** Where the worker of a home is, once it has proved that it is this one. */
async function provenAddress(home: string): Promise<{ readonly url: string; readonly token: string }> {
  const address = await workerAddress(home);
  if (!address?.token || !address.fetch)
    throw new Failure('unavailable', 'No worker is running. Start one with: handraise up');
  const { url, token, fetch } = address;
  const { ok } = await fetch(new URL('/api/v1/healthz', url), { method: 'GET', headers: {} });
  if (!ok) throw new Failure('unavailable', 'The worker does not answer. Look at: handraise status');
  return { url, token };
}

/** `handraise token`: who may speak to the worker. */
export function addToken(program: Command): void {
  const token = program
    .command('token')
    .summary('manage access to the worker')
    .description('Manages access tokens. Everything done with a token is recorded under its name.')
    .addHelpText('after', examples);

  token
    .command('add')
    .description('Creates a token and prints it once.')
    .argument('<name>', 'name of the token')
    .option(
      '--agent',
      'token for an agent: it can start work that asks you, in one folder, and follow it; nothing else',
    )
    .option('--workspace <folder>', 'with --agent: the folder in which it can start work')
    .option(
      '--scope <scopes>',
      `what it is for: ${Scope.options.join(', ')}, several with commas; everything without`,
      scopesIn,
    )
    .option(
      '--approve-label <label>',
      'with --scope approve: only for work that was given with this label, NAME=VALUE; repeatable',
      (label: string, more: readonly string[] | undefined) => [...(more ?? []), label],
    )
    .option('--user <user>', 'no token, but access for this user of your proxy (docs/team.md)')
    .option('--json', 'print it as JSON')
    .addHelpText('after', addExamples)
    .action(async (name: string, { json, user, ...options }: AddOptions) => {
      const grant = grantOf(options);
      if (user !== undefined) return await addUser({ name, user, grant, json });
      const made = (await tokens()).add(name, grant);
      if (json) writeJson({ name, ...grant, token: made });
      else writeLine(made);
      writeMessage('Copy the token now: it is not stored and cannot be shown again.');
    });

  token
    .command('ls')
    .description('Lists the named tokens.')
    .option('--json', 'print a JSON array')
    .addHelpText('after', '\nExamples:\n  $ handraise token ls\n')
    .action(async ({ json }: { json?: true }) => list(await tokens(), json));

  token
    .command('rm')
    .description('Removes a token. Whoever uses it is refused from then on.')
    .argument('<name>', 'name of the token')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise token rm phone\n')
    .action(async (name: string, { json }: { json?: true }) => {
      (await tokens()).remove(name);
      if (json) writeJson({ removed: name });
      writeMessage(`The token ${name} no longer works.`);
    });

  token
    .command('rotate')
    .description("Replaces the owner's token. Commands on this machine use the new one at once.")
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise token rotate\n')
    .action(async ({ json }: { json?: true }) => {
      (await tokens()).rotate();
      if (json) writeJson({ rotated: true });
      writeMessage('The old token no longer works. Print the new one with: handraise token show');
    });

  token
    .command('env')
    .description(
      'Prints the address of the worker and your token as shell variables, after the worker has proved who it is. ' +
        'For scripts that use curl.',
    )
    .option('--json', 'print them as JSON')
    .addHelpText('after', '\nExamples:\n  $ eval "$(handraise token env)"\n')
    .action(async ({ json }: { json?: true }) => {
      const address = await provenAddress(homeFolder(process.env));
      if (json) writeJson(address);
      else writeLine(`HANDRAISE_URL='${address.url}'\nHANDRAISE_TOKEN='${address.token}'`);
    });

  token
    .command('link')
    .description(
      'Prints a link that signs a browser in to the web console. It works once, within ten minutes.',
    )
    .option('--qr', 'also print it as a QR code, for a phone')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  $ open "$(handraise token link)"\n  $ handraise token link --qr\n')
    .action(async ({ qr, json }: { qr?: true; json?: true }) => {
      const links = await openClient().loginLinks();
      if (json) return writeJson(links);
      // A picture is scanned by another machine.
      const url = (qr && links.publicUrl) ?? links.url;
      writeLine(url);
      if (qr) await writeQr(url);
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

/** For whoever looks at the terminal; what is piped gets the link alone. */
async function writeQr(url: string): Promise<void> {
  const { qrLines } = await import('../view/qr-lines.js');
  // As it is: a message would lose the colours that make it dark on light in every terminal.
  process.stderr.write(`${qrLines(url, { isColoured: process.stderr.isTTY }).join('\n')}\n`);
  const { hostname } = new URL(url);
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    writeMessage(
      'This link leads to this machine itself, which a phone cannot reach. docs/phone.md says how it can; set publicUrl then.',
    );
}

/** Scopes with commas between them. */
function scopesIn(text: string): Scope[] {
  return text.split(',').map((word) => {
    const scope = Scope.safeParse(word.trim()).data;
    if (scope) return scope;
    throw new Failure(
      'usage',
      `"${plainLine(word)}" is no scope. The scopes are ${Scope.options.join(', ')}.`,
    );
  });
}

async function addUser(added: {
  readonly name: string;
  readonly user: string;
  readonly grant: TokenGrant;
  readonly json: true | undefined;
}): Promise<void> {
  const { name, user, grant, json } = added;
  if (grant.scope !== 'limited')
    throw new Failure('usage', 'Say what the user may do: --scope read, or read,answer, or admin.');
  (await tokens()).addUser(name, user, grant);
  if (json) writeJson({ name, user, ...grant });
  writeMessage(`${user} has access through your proxy, as ${name}. See docs/team.md for the setting.`);
}

interface AddOptions {
  readonly scope?: readonly Scope[];
  readonly approveLabel?: readonly string[];
  readonly user?: string;
  readonly agent?: true;
  readonly workspace?: string;
  readonly json?: true;
}

function grantOf({ agent, workspace, scope, approveLabel }: Omit<AddOptions, 'json' | 'user'>): TokenGrant {
  if (agent && scope) throw new Failure('usage', '--agent has rights of its own; leave --scope out.');
  if (approveLabel && !scope?.includes('approve'))
    throw new Failure('usage', '--approve-label goes with --scope approve.');
  if (scope && workspace === undefined)
    return { scope: 'limited', scopes: [...new Set(scope)], ...given({ approves: approveLabel }) };
  if (agent && workspace !== undefined) return { scope: 'agent', workspace: folderOf(workspace) };
  if (agent)
    throw new Failure(
      'usage',
      'Say where the agent may start work: --workspace DIR, or --workspace . for here.',
    );
  if (workspace !== undefined) throw new Failure('usage', '--workspace goes with --agent only.');
  return { scope: 'full' };
}

function folderOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) throw new Failure('missing_file', `The workspace ${path} is not a folder.`);
  return realpathSync(path);
}

type Tokens = Awaited<ReturnType<typeof openTokens>>;
type TokenGrant = Parameters<Tokens['add']>[1];

const addExamples = `
Examples:
  $ handraise token add phone
  $ handraise token add dashboard --scope read
  $ handraise token add ada --scope dispatch,answer
  $ handraise token add web-lead --scope answer,approve --approve-label team=web
  $ handraise token add ada --user ada@example.com --scope read,answer
  $ handraise token add helper --agent --workspace ~/src/shop
`;

const examples = `
Examples:
  $ handraise token add phone
  $ handraise token add ci-agent --agent --workspace .
  $ handraise token ls
`;

/** Opening them makes the owner's token where there is none yet. */
function tokens(): Promise<Tokens> {
  return openTokens(homeFolder(process.env));
}

function list(known: Tokens, json: true | undefined): void {
  const rows = known.list();
  if (json) return writeJson(rows);
  const cells = rows.map(({ name, scope, scopes, createdAt, workspace, approves, user }) => [
    { text: name },
    { text: scopes?.join(',') ?? scope },
    { text: age(createdAt, Date.now()) },
    {
      text: [
        ...(workspace === undefined ? [] : [`in ${plainLine(workspace)}`]),
        ...(approves ? [`approves ${plainLine(approves.join(', '))}`] : []),
        ...(user === undefined ? [] : [`user ${plainLine(user)}`]),
      ].join(', '),
    },
  ]);
  const columns = [{ header: 'NAME' }, { header: 'SCOPE' }, { header: 'AGE' }, { header: 'LIMITS' }];
  const options = { width: lineWidth(process.stdout), paintHeader: coloursOf(process.stdout).dim };
  for (const line of tableLines(columns, cells, options)) writeLine(line);
}
