import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from '../../client/client.js';
import { homeFolder } from '../../compose.js';
import { expectTimes } from '../../domain/schedule/timetable.js';
import { cronOf } from '../../domain/schedule/when.js';
import { nextTimeWords } from '../../domain/words/schedule-words.js';
import type { Budget } from '../../protocol/budget.js';
import { ExitCode } from '../../protocol/exit-code.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { ScheduleId, type ThreadId } from '../../protocol/id.js';
import type { UnansweredRules } from '../../protocol/prompt.js';
import {
  longestJitterSeconds,
  MissedPolicy,
  OverlapPolicy,
  type Schedule,
  type ScheduleQuestions,
  ScheduleRequest,
} from '../../protocol/schedule.js';
import { ensureWorker, leavingArgs, readyClient } from '../background-worker.js';
import { findThread } from '../find-id.js';
import { toCount } from '../number-option.js';
import { lineWidth, writeJson, writeLine, writeMessage } from '../output.js';
import { decideSchedule, type ScheduleDecisions } from '../schedule-decisions.js';
import { coloursOf } from '../terminal/colours.js';
import { toUnanswered } from '../unanswered-option.js';
import { scheduleCard, scheduleRunTable, scheduleTable } from '../view/schedule-view.js';
import { addWorkOptions, toBudget, type WorkFlags, workSettings } from '../work-options.js';
import { workRequest } from '../work-request.js';
import { isElsewhere, openClient } from '../worker-address.js';

const argument = ['<schedule>', 'its name, or its id or the beginning of it'] as const;

/** `handraise schedule`: work that is given again and again. */
export function addSchedule(program: Command): void {
  const schedule = program
    .command('schedule')
    .summary('give work again and again')
    .description(
      'Gives work at fixed times, as long as a worker runs: handraise service install starts one with the machine. Each time exactly ' +
        'once, over restarts, sleep and changes of the clock.',
    )
    .addHelpText('after', examples);

  addWorkOptions(
    schedule
      .command('add')
      .summary('Adds a schedule.')
      .description(
        'Adds a schedule. The work is what handraise run -d would do, with the same options. On a terminal you are asked what becomes ' +
          'of questions and what each time may spend, unless the options say it.',
      )
      .argument('<when>', 'plain words, such as "every weekday 7:00", or cron with five fields')
      .argument('<text>', 'what to do'),
  )
    .option('--name <name>', 'name of the schedule (default: from the first words of the work)')
    .option(
      '--time-zone <zone>',
      'time zone of the times, such as Europe/Berlin (default: the one of this machine)',
    )
    .addOption(
      new Option('--missed <what>', 'times at which no worker ran: start once for all of them, or skip them')
        .choices(MissedPolicy.options)
        .default('once'),
    )
    .addOption(
      new Option(
        '--overlap <what>',
        'while earlier work has not ended: skip this time, queue it until then, or cancel the earlier work',
      )
        .choices(OverlapPolicy.options)
        .default('skip'),
    )
    .option(
      '--jitter <seconds>',
      'start up to so many seconds later, each time differently (up to 3600)',
      toJitter,
    )
    .option(
      '--unanswered <policy>',
      'what to do when nobody answers a question: wait, or KIND=POLICY:SECONDS as with handraise run (repeatable)',
      toPolicy,
    )
    .option('--no-budget', 'let each time spend what it needs')
    .option('--total-budget <amount>', 'what all times together may spend; then you are asked', toBudget)
    .option('--no-input', 'never wait for an answer: a question ends the work as blocked')
    .option('--json', 'print the schedule as JSON')
    .addHelpText('after', addHelp)
    .action(add);

  schedule
    .command('ls', { isDefault: true })
    .description('Lists schedules with their next time and what became of the last.')
    .option('--json', 'print a JSON array')
    .addHelpText('after', '\nExamples:\n  $ handraise schedule ls\n')
    .action(list);

  schedule
    .command('show')
    .description('Shows a schedule with its last times.')
    .argument(...argument)
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise schedule show nightly\n')
    .action(show);

  schedule
    .command('history')
    .description('Lists what became of the times of a schedule, newest first.')
    .argument(...argument)
    .option('-n, --limit <number>', 'show at most this many', toCount, 50)
    .option('--json', 'print a JSON array')
    .addHelpText('after', '\nExamples:\n  $ handraise schedule history nightly -n 7\n')
    .action(history);

  for (const [name, description, ask] of [
    [
      'pause',
      'Gives no work until it is resumed. Work under way goes on.',
      (client, id) => client.schedules.pause(id),
    ],
    ['resume', 'Goes on with the next time.', (client, id) => client.schedules.resume(id)],
    ['rm', 'Removes a schedule. The work that it gave stays.', (client, id) => client.schedules.remove(id)],
  ] as const satisfies readonly (readonly [
    string,
    string,
    (client: Client, id: ScheduleId) => Promise<Schedule>,
  ])[]) {
    schedule
      .command(name)
      .description(description)
      .argument(...argument)
      .option('--json', 'print the schedule as JSON')
      .addHelpText('after', `\nExamples:\n  $ handraise schedule ${name} nightly\n`)
      .action(async (text: string, { json }: { json?: true }) => {
        const client = await readyClient();
        const changed = await ask(client, (await findSchedule(client, text)).id);
        if (json) writeJson(changed);
        else writeLine(changed.name);
        if (name === 'resume') tellNext(changed);
      });
  }

  schedule
    .command('run')
    .description('Gives the work of a schedule now, whatever its times are.')
    .argument(...argument)
    .option('--json', 'print the dispatch as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise schedule run nightly\n')
    .action(async (text: string, { json }: { json?: true }) => {
      const client = await readyClient();
      const dispatch = await client.schedules.runNow((await findSchedule(client, text)).id);
      if (json) writeJson(dispatch);
      else writeLine(dispatch.id);
      writeMessage(`Queued as ${dispatch.id}. Follow it with: handraise logs -f ${dispatch.id}`);
    });
}

const examples = `
Examples:
  $ handraise schedule add "every weekday 7:00" "update the dependencies" --worktree --on-success pr --unanswered wait --budget 5
  $ handraise schedule ls
  $ handraise schedule run update-the-dependencies
`;

const addHelp = `
Times in plain words:
  every day at 9 · every weekday 7:00 · every weekend 10:30 · every monday and thursday 8:30 pm
  every 15 minutes · every hour · every 6 hours
  first of the month 6:00 · 15th of the month 6:00 · last of the month 18:00

Examples:
  $ handraise schedule add "every day at 6" "run the slow tests and fix what fails" --no-input --no-budget
  $ handraise schedule add "0 7 * * 1-5" "triage new issues" --unanswered approval=deny:3600 --budget 2 --time-zone Europe/Berlin
`;

interface AddOptions extends Omit<WorkFlags, 'unanswered'> {
  readonly timeZone?: string;
  readonly missed: MissedPolicy;
  readonly overlap: OverlapPolicy;
  readonly jitter?: number;
  readonly totalBudget?: Budget;
  readonly unanswered?: 'wait' | UnansweredRules;
  readonly json?: true;
}

async function add(when: string, text: string, options: AddOptions): Promise<void> {
  const timeZone = options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  // What is wrong is said before anything is asked or started, a worker included.
  expectTimes({ cron: cronOf(when), timeZone }, { now: Date.now(), when });
  if (text.trim() === '') throw new Failure('invalid', 'Say what to do: the text of the work is blank.');
  const asked = questionsOf(options);
  const { name, input: _input, unanswered: _policy, ...flags } = options;
  const chosen = workSettings(flags);
  const requestOf = async ({ questions, budget }: ScheduleDecisions, thread?: ThreadId) => {
    const request = ScheduleRequest.safeParse({
      when,
      timeZone,
      missed: options.missed,
      overlap: options.overlap,
      unanswered: questions,
      work: await workRequest(text, { ...flags, budget }, { ...chosen, ...given({ thread }) }),
      ...given({ name, jitterSeconds: options.jitter, budget: options.totalBudget }),
    });
    if (request.success) return request.data;
    const [issue] = request.error.issues;
    throw new Failure('invalid', `${issue?.path.join('.')}: ${issue?.message}`);
  };
  // Whatever a person decides; the thread, too, is one that only the worker knows.
  if (flags.thread === undefined)
    await requestOf({ questions: asked ?? 'wait', budget: options.budget ?? false });
  const decided = await decideSchedule({ questions: asked, budget: options.budget });
  if (decided === null) {
    writeMessage('No schedule was added.');
    process.exitCode = ExitCode.interrupted;
    return;
  }
  if (!isElsewhere()) await ensureWorker(homeFolder(process.env), { args: leavingArgs });
  const client = openClient();
  const thread = flags.thread === undefined ? undefined : await findThread(client, flags.thread);
  const schedule = await client.schedules.create(await requestOf(decided, thread));
  if (options.json) writeJson(schedule);
  else writeLine(schedule.name);
  tellNext(schedule);
}

function toJitter(text: string): number {
  const seconds = toCount(text);
  if (seconds <= longestJitterSeconds) return seconds;
  throw new InvalidArgumentError(`It must be at most ${longestJitterSeconds} seconds.`);
}

function questionsOf({ unanswered, input }: AddOptions): ScheduleQuestions | undefined {
  if (input === false && unanswered !== undefined)
    throw new Failure(
      'usage',
      '--no-input refuses every question, so --unanswered has nothing to say. Use one of them.',
    );
  return input === false ? 'refuse' : unanswered;
}

function toPolicy(text: string, before?: 'wait' | UnansweredRules): 'wait' | UnansweredRules {
  if (text === 'wait' && before === undefined) return 'wait';
  if (text === 'wait' || before === 'wait')
    throw new InvalidArgumentError('wait means that every question waits; it does not go with rules.');
  return toUnanswered(text, before);
}

function tellNext(schedule: Schedule): void {
  const next = nextTimeWords(schedule, Date.now());
  writeMessage(
    `${schedule.name} gives work next: ${next} (${schedule.timeZone}). A worker must run then: handraise service install`,
  );
}

async function list({ json }: { json?: true }): Promise<void> {
  const schedules = await (await readyClient()).schedules.all();
  if (json) return writeJson(schedules);
  if (schedules.length === 0)
    writeMessage('There are no schedules. Add one with: handraise schedule add "every weekday 7:00" "TEXT"');
  else for (const line of scheduleTable(schedules, context())) writeLine(line);
}

async function show(text: string, { json }: { json?: true }): Promise<void> {
  const client = await readyClient();
  const schedule = await findSchedule(client, text);
  if (json) return writeJson(schedule);
  for (const line of scheduleCard(schedule, context())) writeLine(line);
  const { runs } = await client.schedules.runs(schedule.id, { limit: 10 });
  if (runs.length > 0) writeLine('');
  if (runs.length > 0) for (const line of scheduleRunTable(runs, schedule, context())) writeLine(line);
}

async function history(text: string, { limit, json }: { limit: number; json?: true }): Promise<void> {
  const client = await readyClient();
  const schedule = await findSchedule(client, text);
  const { runs } = await client.schedules.runs(schedule.id, { limit: Math.max(1, Math.min(limit, 1000)) });
  if (json) return writeJson(runs);
  for (const line of scheduleRunTable(runs, schedule, context())) writeLine(line);
}

function context() {
  return { now: Date.now(), width: lineWidth(process.stdout), colours: coloursOf(process.stdout) };
}

/** By name, by id, or by the beginning of an id. */
async function findSchedule(client: Client, text: string): Promise<Schedule> {
  const whole = ScheduleId.safeParse(text);
  if (whole.success) return await client.schedules.get(whole.data);
  const all = await client.schedules.all();
  const named = all.find(({ name }) => name.toLowerCase() === text.toLowerCase());
  if (named) return named;
  const begun = text.length < 4 ? [] : all.filter(({ id }) => id.startsWith(text));
  if (begun.length === 1 && begun[0]) return begun[0];
  const names = all.map(({ name }) => name).join(', ');
  throw new Failure(
    'not_found',
    `There is no schedule "${text}".${names === '' ? '' : ` There are: ${names}.`}`,
  );
}
