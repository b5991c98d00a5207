import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { plainLine } from '../../domain/words/plain-text.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { PipelineId } from '../../protocol/id.js';
import { type PipelineDetail, type PipelinePhase, PipelineRequest } from '../../protocol/pipeline.js';
import { OfferedPrompts } from '../follow-work.js';
import { SkillFailure } from '../skill-failure.js';
import { lookTool, type McpCall } from '../tool.js';
import { promptReport, told } from '../work-report.js';
import { pipelineId, seconds, workspace } from './arguments.js';
import { folderFor } from './dispatch.js';

const usualRunSeconds = 600;
const usualWaitSeconds = 50;
const lookEveryMs = 2000;
const longestLine = 500;

const { source, inputs } = PipelineRequest.shape;

/** Runs work in phases, and waits for its end. */
export const runPipelineTool = lookTool(
  {
    name: 'run_pipeline',
    title: 'Run a pipeline',
    description:
      'Runs work in phases, as a file says it, and waits for its end. A person must have approved the file as it is. A run of ' +
      'the same file in the same folder that has not ended comes back in its place. A pipeline that fails is an error with ' +
      'its exit code.',
    isReading: false,
    input: z.strictObject({
      file: z.string().min(1).max(4096).describe('The absolute path of the file.'),
      source: source
        .optional()
        .describe(
          'What the file holds, letter by letter; read from the file unless told. Over HTTP it must be told.',
        ),
      workspace,
      inputs,
      seconds,
    }),
  },
  async ({ workspace: folder, seconds: wait = usualRunSeconds, ...more }, call) => {
    const { file: name, inputs: values } = more;
    const { file, source: text } =
      more.source === undefined ? pipelineFile(name, call) : { file: name, source: more.source };
    const begun = await call.client.pipelines.run({
      source: text,
      file,
      onlyApproved: true,
      workspace: { path: folderFor(folder, call) },
      ...given({ inputs: values }),
    });
    return told(await followed(begun.id, call, wait));
  },
);

/** How a run of a pipeline stands. */
export const pipelineTool = lookTool(
  {
    name: 'pipeline',
    title: 'How a pipeline stands',
    description:
      'Waits until a pipeline has ended, and tells its phases. It returns earlier when it asks something that nobody answers ' +
      'here, or when the time is over; then call it again.',
    isReading: true,
    input: z.strictObject({ id: pipelineId, seconds }),
  },
  async ({ id, seconds: wait = usualWaitSeconds }, call) => told(await followed(id, call, wait)),
);

/** The file as it is, where this server sees the files of whoever calls. */
function pipelineFile(name: string, { readPipeline }: McpCall) {
  if (readPipeline) return readPipeline(name);
  throw new Failure('invalid', 'source: Say what the file holds. Files are not read over HTTP.');
}

/** The run once it has ended, asks what nobody answers here, or the time is over; one that failed is thrown. */
async function followed(id: PipelineId, call: McpCall, wait: number): Promise<Record<string, unknown>> {
  const { client, signal, now } = call;
  const until = now() + wait * 1000;
  const offered = new OfferedPrompts(call);
  for (;;) {
    const pipeline = await client.pipelines.get(id);
    if (pipeline.state === 'ended') return await ended(pipeline);
    const open = await client.prompts.open({ thread: pipeline.threadId });
    const isOver = now() >= until || signal.aborted;
    if (!isOver && (await offered.offerNext(open))) continue;
    if (isOver || open.length > 0) {
      const thread = await client.threads.get(pipeline.threadId);
      const { notes } = offered;
      return {
        ...report(pipeline),
        prompts: open.map((prompt) => promptReport(prompt, thread)),
        ...(notes.length > 0 && { notes }),
      };
    }
    await call.progress(pipeline.phases.find(({ state }) => state === 'running')?.title ?? pipeline.state);
    await delay(Math.min(lookEveryMs, until - now()), undefined, { signal }).catch(() => {});
  }
}

async function ended(pipeline: PipelineDetail): Promise<Record<string, unknown>> {
  if (pipeline.result === 'success') return report(pipeline);
  const failed = await whatStopped(pipeline);
  const why = failed?.why ?? `The pipeline was ${pipeline.result ?? 'ended'}.`;
  throw SkillFailure.ended(line(pipeline.name), {
    exitCode: pipeline.exitCode ?? 1,
    detail: line(failed ? `${failed.title}: ${why}` : why),
  });
}

/** The first phase that failed with the exit code of the pipeline, of those whose failure is not allowed. */
async function whatStopped({
  source,
  file,
  exitCode,
  phases,
}: PipelineDetail): Promise<PipelinePhase | undefined> {
  // A server that runs no pipeline reads no YAML.
  const { parsePipeline } = await import('../../domain/pipeline/parse-pipeline.js');
  const allowed = parsePipeline(source, file ?? '').phases.filter(({ continueOnError }) => continueOnError);
  return phases
    .filter(
      (phase) =>
        phase.result === 'failure' &&
        phase.exitCode === exitCode &&
        !allowed.some(({ id }) => id === phase.phase),
    )
    .toSorted((a, b) => ((a.endedAt ?? '') < (b.endedAt ?? '') ? -1 : 1))[0];
}

function report({ id, name, threadId, state, result, exitCode, phases }: PipelineDetail) {
  return {
    pipeline: id,
    name: line(name),
    thread: threadId,
    state,
    ...given({ result, exitCode }),
    phases: phases.map((phase) => ({
      key: line(phase.key),
      state: phase.state,
      ...given({ result: phase.result, exitCode: phase.exitCode, prompt: phase.promptId }),
      ...(phase.why !== undefined && { why: line(phase.why) }),
    })),
  };
}

function line(text: string): string {
  return plainLine(text, { maxLength: longestLine });
}
