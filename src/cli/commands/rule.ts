import { type Command, Option } from 'commander';
import type { Client } from '../../client/client.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { RuleId } from '../../protocol/id.js';
import { type Rule, RuleReach } from '../../protocol/rule.js';
import { readyClient } from '../background-worker.js';
import { findEach, findPrompt } from '../find-id.js';
import { toCount } from '../number-option.js';
import { lineWidth, writeJson, writeLine, writeMessage } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { ruleCard, ruleTable } from '../view/rule-view.js';

const argument = ['<rule>', 'its name (the newest version), NAME@VERSION, or its id'] as const;

/** `handraise rule`: what answers in place of a person. */
export function addRule(program: Command): void {
  const rule = program
    .command('rule')
    .summary('let a rule give answers that you have given before')
    .description(
      'Makes rules from your answers. A rule answers what is exactly like them, in one project, until you withdraw it: questions in ' +
        'the same words, reads and edits of files of the workspace that are not hidden, and commands that you have decided about to ' +
        'the letter. Nothing is ever answered without you unless such a rule is on.',
    )
    .addHelpText('after', examples);

  rule
    .command('add')
    .description(
      'Makes a rule, or its next version, and tries it on what was answered before. It answers nothing yet.',
    )
    .argument('<name>', 'lower-case letters, digits and dashes')
    .argument('<prompts...>', 'questions or approvals that you have answered, all in the same way')
    .addOption(
      new Option(
        '--reach <what>',
        'for reads and edits: the same file, files of that kind in that folder, or the whole workspace',
      ).choices(RuleReach.options),
    )
    .option('--json', 'print the rule as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise rule add edit-sources prm_01k9y --reach kind\n')
    .action(add);

  rule
    .command('ls', { isDefault: true })
    .description('Lists rules, every version of each.')
    .option('--json', 'print a JSON array')
    .addHelpText('after', '\nExamples:\n  $ handraise rule ls\n')
    .action(list);

  rule
    .command('show')
    .description('Shows a rule, and where its answers would have differed from yours.')
    .argument(...argument)
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise rule show edit-sources\n')
    .action(show);

  rule
    .command('on')
    .description('Switches a rule on. It answers what is asked from now on.')
    .argument(...argument)
    .option(
      '--differed <number>',
      'how many recorded answers it differs from, which you have looked at and accept',
      toCount,
    )
    .option('--json', 'print the rule as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise rule on edit-sources\n')
    .action(async (text: string, { differed, json }: { differed?: number; json?: true }) => {
      const client = await readyClient();
      const on = await client.rules.switchOn((await findRule(client, text)).id, given({ differed }));
      tell(on, { json });
      writeMessage(
        `It is on: its answers say policy:${on.name}@${on.version}. Withdraw it with: handraise rule withdraw ${on.name}`,
      );
    });

  rule
    .command('withdraw')
    .description('Withdraws a rule. It answers nothing more; what it has answered stays.')
    .argument(...argument)
    .option('--json', 'print the rule as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise rule withdraw edit-sources\n')
    .action(async (text: string, { json }: { json?: true }) => {
      const client = await readyClient();
      tell(await client.rules.withdraw((await findRule(client, text)).id), { json });
    });
}

const examples = `
Examples:
  $ handraise rule add tests-may-run prm_01k9y
  $ handraise rule show tests-may-run
  $ handraise rule on tests-may-run
  $ handraise rule withdraw tests-may-run
`;

interface AddOptions {
  readonly reach?: RuleReach;
  readonly json?: true;
}

async function add(name: string, prompts: readonly string[], { reach, json }: AddOptions): Promise<void> {
  const client = await readyClient();
  const from = await findEach(client, prompts, findPrompt);
  const rule = await client.rules.create({ name, from, ...given({ reach }) });
  if (json) return writeJson(rule);
  for (const line of ruleCard(rule, context())) writeLine(line);
  const { differed } = rule.backtest;
  const accepting = differed === 0 ? '' : ` --differed ${differed}`;
  writeMessage(`It answers nothing yet. Switch it on with: handraise rule on ${name}${accepting}`);
}

async function list({ json }: { json?: true }): Promise<void> {
  const rules = await (await readyClient()).rules.all();
  if (json) return writeJson(rules);
  if (rules.length === 0)
    writeMessage('There are no rules. Make one from an answer with: handraise rule add NAME PROMPT');
  else for (const line of ruleTable(rules, context())) writeLine(line);
}

async function show(text: string, { json }: { json?: true }): Promise<void> {
  const rule = await findRule(await readyClient(), text);
  if (json) return writeJson(rule);
  for (const line of ruleCard(rule, context())) writeLine(line);
}

function tell(rule: Rule, { json }: { readonly json: true | undefined }): void {
  if (json) writeJson(rule);
  else writeLine(`${rule.name}@${rule.version}`);
}

function context() {
  return { now: Date.now(), width: lineWidth(process.stdout), colours: coloursOf(process.stdout) };
}

/** The newest version of a name, a version that is named, or an id. */
async function findRule(client: Client, text: string): Promise<Rule> {
  const whole = RuleId.safeParse(text);
  if (whole.success) return await client.rules.get(whole.data);
  const all = await client.rules.all();
  const [name, version] = text.split('@');
  const found = all.findLast(
    (rule) => rule.name === name && (version === undefined || String(rule.version) === version),
  );
  if (found) return found;
  const names = [...new Set(all.map((rule) => rule.name))].join(', ');
  throw new Failure('not_found', `There is no rule "${text}".${names === '' ? '' : ` There are: ${names}.`}`);
}
