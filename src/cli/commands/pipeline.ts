import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '../../client/client.js';
import { homeFolder } from '../../compose.js';
import { parsePipeline } from '../../domain/pipeline/parse-pipeline.js';
import { ExitCode } from '../../protocol/exit-code.js';
import { Failure } from '../../protocol/failure.js';
import { PipelineId } from '../../protocol/id.js';
import type { PipelineDetail, PipelinePhase } from '../../protocol/pipeline.js';
import { ensureWorker, leavingArgs, readyClient } from '../background-worker.js';
import { toCount } from '../number-option.js';
import { lineWidth, writeJson, writeLine, writeMessage } from '../output.js';
import { readPipelineSource } from '../pipeline-source.js';
import { coloursOf } from '../terminal/colours.js';
import { phaseLine, pipelineDrawing, pipelineHead, pipelineTable } from '../view/pipeline-view.js';
import { isElsewhere, openClient } from '../worker-address.js';

const lookEveryMs = 300;
/** Failed calls in a row after which a worker counts as gone for good. */
const patience = 30;
const pauseMs = 2000;

/** `handraise pipeline`: work in phases. */
export function addPipeline(program: Command): void {
  const pipeline = program
    .command('pipeline')
    .summary('run work in phases')
    .description(
      'Runs commands, skills and agents in phases, each after those that it needs. Whatever is killed, it goes on, and repeats no phase ' +
        'that has ended.',
    )
    .addHelpText('after', examples);

  pipeline
    .command('run')
    .description('Runs a pipeline, and exits with the exit code of what stopped it.')
    .argument('<file>', 'the pipeline, in YAML')
    .option('-C, --workspace <folder>', 'where it works (default: this folder)')
    .option('--with <name=text>', 'an input of the pipeline (repeatable)', toInput)
    .option('-d, --detach', 'print its id and leave it to the worker')
    .option('--no-input', 'ask nobody: approvals are rejected, and what fails ends the pipeline')
    .option('--again', 'run it although a run of the same file in the same workspace has not ended')
    .option('--json', 'print the run as JSON once it has ended, or with -d as it begins')
    .addHelpText('after', runHelp)
    .action(run);

  pipeline
    .command('ls', { isDefault: true })
    .alias('list')
    .description('Lists runs of pipelines, newest first.')
    .option('-n, --limit <number>', 'show at most this many', toCount, 20)
    .option('--open', 'only those that have not ended')
    .option('--json', 'print a JSON array')
    .addHelpText('after', '\nExamples:\n  $ handraise pipeline ls --open\n')
    .action(list);

  pipeline
    .command('show')
    .description('Draws a run of a pipeline, or a file before it is run.')
    .argument('<run>', 'its id, the beginning or the end of it, or a file')
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ handraise pipeline show pip_01k9x\n  $ handraise pipeline show idea.yaml\n',
    )
    .action(show);

  pipeline
    .command('cancel')
    .description('Ends what is under way, and begins nothing more.')
    .argument('<run>', 'its id, or the beginning or the end of it')
    .option('--json', 'print the run as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise pipeline cancel pip_01k9x\n')
    .action(async (text: string, { json }: { json?: true }) => {
      const client = await readyClient();
      const cancelled = await client.pipelines.cancel(await findPipeline(client, text));
      if (json) writeJson(cancelled);
      else writeLine(cancelled.id);
    });

  pipeline
    .command('wait')
    .description('Waits until a run has ended, and exits with its exit code.')
    .argument('<run>', 'its id, or the beginning or the end of it')
    .option('--json', 'print the run as JSON once it has ended')
    .addHelpText('after', '\nExamples:\n  $ handraise pipeline wait pip_01k9x && ./deploy\n')
    .action(async (text: string, { json }: { json?: true }) => {
      const client = await readyClient();
      await follow(client, await client.pipelines.get(await findPipeline(client, text)), json);
    });
}

const examples = `
Examples:
  $ handraise pipeline run idea.yaml --with idea="a page that lists the releases"
  $ handraise pipeline show idea.yaml
  $ handraise pipeline ls
`;

const runHelp = `
Commands in a pipeline (run, verify) are code: read and approve the file first with handraise config trust FILE.

Examples:
  $ handraise pipeline run idea.yaml --with idea="a page that lists the releases"
  $ handraise pipeline run nightly.yaml -C ~/app -d

Exit codes: 0 if it succeeded; else the code of the phase that stopped it; 65 if the file is wrong, or has changed since a
run of it began that has not ended; 130 if it was cancelled.
`;

interface RunOptions {
  readonly workspace?: string;
  readonly with?: Record<string, string>;
  readonly detach?: true;
  readonly input: boolean;
  readonly again?: true;
  readonly json?: true;
}

async function run(name: string, options: RunOptions): Promise<void> {
  const { file, source } = readPipelineSource(name);
  // What is wrong with it is said before anything is started, a worker included.
  parsePipeline(source, file);
  if (!isElsewhere()) await ensureWorker(homeFolder(process.env), { args: leavingArgs });
  const client = openClient();
  const started = await client.pipelines.run({
    source,
    file,
    workspace: { path: resolve(options.workspace ?? '.') },
    ...(options.with && { inputs: options.with }),
    ...(!options.input && { noInput: true }),
    ...(options.again && { again: true }),
  });
  if (options.detach) {
    if (options.json) writeJson(started);
    else writeLine(started.id);
    return;
  }
  writeMessage(`${started.id} runs. Look at it with: handraise pipeline show ${started.id}`);
  await follow(client, started, options.json);
}

/** Tells what becomes of the phases until all of them have ended; a worker that dies meanwhile is started again. */
async function follow(client: Client, first: PipelineDetail, json: true | undefined): Promise<void> {
  const colours = coloursOf(process.stderr);
  const width = Math.max(0, ...first.phases.map(({ title }) => Math.min(60, title.length)));
  const told = new Map<string, string>();
  let pipeline = first;
  let failures = 0;
  for (;;) {
    for (const phase of pipeline.phases) {
      const now = toldState(phase);
      if (phase.state === 'waiting' || told.get(phase.key) === now) continue;
      told.set(phase.key, now);
      process.stderr.write(`${phaseLine(phase, width, colours)}\n`);
      if (phase.state === 'asking') writeMessage(`Answer it with: handraise answer ${phase.promptId ?? ''}`);
    }
    if (pipeline.state === 'ended') break;
    await sleep(lookEveryMs);
    try {
      pipeline = await client.pipelines.get(pipeline.id);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!(error instanceof Failure) || error.code !== 'unavailable' || failures > patience) throw error;
      if (isElsewhere()) await sleep(pauseMs);
      else await readyClient();
    }
  }
  if (json) writeJson(pipeline);
  process.stderr.write(`${pipelineHead(pipeline, colours)}\n`);
  process.exitCode = pipeline.exitCode ?? ExitCode.failure;
}

function toldState({ state, tries, promptId }: PipelinePhase): string {
  return [state, tries.length, promptId].join(' ');
}

async function list({ limit, open, json }: { limit: number; open?: true; json?: true }): Promise<void> {
  const client = await readyClient();
  const { pipelines } = await client.pipelines.list({
    limit: Math.max(1, Math.min(limit, 500)),
    ...(open && { open }),
  });
  if (json) return writeJson(pipelines);
  const context = { now: Date.now(), width: lineWidth(process.stdout), colours: coloursOf(process.stdout) };
  if (pipelines.length === 0) writeMessage('There are no runs. Begin one with: handraise pipeline run FILE');
  else for (const line of pipelineTable(pipelines, context)) writeLine(line);
}

async function show(text: string, { json }: { json?: true }): Promise<void> {
  const colours = coloursOf(process.stdout);
  if (/\.ya?ml$/.test(text)) {
    const phases = phasesOf(text);
    if (json) return writeJson(phases);
    for (const line of pipelineDrawing(phases, colours, { isFile: true })) writeLine(line);
    return;
  }
  const client = await readyClient();
  const pipeline = await client.pipelines.get(await findPipeline(client, text));
  if (json) return writeJson(pipeline);
  writeLine(pipelineHead(pipeline, colours));
  writeLine('');
  for (const line of pipelineDrawing(pipeline.phases, colours)) writeLine(line);
}

/** The phases of a file that is not run. */
function phasesOf(name: string): PipelinePhase[] {
  const { file, source } = readPipelineSource(name);
  return parsePipeline(source, file).phases.flatMap(({ id, needs, does, instances }) =>
    instances.map(({ key, title }) => ({
      key,
      phase: id,
      title,
      kind: does.kind,
      needs: [...needs],
      state: 'waiting' as const,
      tries: [],
    })),
  );
}

async function findPipeline(client: Client, text: string): Promise<PipelineId> {
  const whole = PipelineId.safeParse(text);
  if (whole.success) return whole.data;
  const part = /^pip_[0-9a-z]{0,26}$/.test(text)
    ? { idPrefix: text }
    : /^[0-9a-z]{4,26}$/.test(text)
      ? { idSuffix: text }
      : undefined;
  const { pipelines } = part ? await client.pipelines.list({ ...part, limit: 2 }) : { pipelines: [] };
  const [one, other] = pipelines;
  if (one && !other) return one.id;
  throw new Failure(
    other ? 'invalid' : 'not_found',
    other
      ? `Several runs of pipelines have an id like "${text}". Write more of it.`
      : `There is no run of a pipeline "${text}". See: handraise pipeline ls`,
  );
}

function toInput(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_-]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Write it as NAME=TEXT.');
  return { ...before, [name]: value };
}
