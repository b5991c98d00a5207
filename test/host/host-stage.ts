import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type ComposedHost, composeHost, type HostSettings } from '../../dist/compose.js';
import type { Dispatch, DispatchRequest } from '../../src/protocol/dispatch.js';
import type { Failure } from '../../src/protocol/failure.js';
import type { DispatchId, ThreadId } from '../../src/protocol/id.js';
import type { Prompt } from '../../src/protocol/prompt.js';
import type { StatusReport } from '../../src/protocol/status.js';
import type { Thread } from '../../src/protocol/thread.js';
import { markedProcesses } from '../harness/process-guard.js';
import { openStage, type Stage } from '../harness/stage.js';
import { eventually, holdsWithin, waitUntil } from '../harness/wait-until.js';
import { openCodexStage } from '../runtimes/codex/codex-driver.js';
import { openOpencodeStage } from '../runtimes/opencode/opencode-driver.js';

export const owner = 'user:owner';
const never = new AbortController().signal;

const openings = {
  claude: async () => await openStage('claude'),
  codex: async () => await openCodexStage(),
  opencode: async () => await openOpencodeStage(),
};
type StagedRuntime = keyof typeof openings;

/** An event of a thread as a test reads it. */
export interface StageEvent {
  readonly seq: number;
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Opens a host in a private home, with a scripted model behind the real agent; the test that opened it closes it. */
export async function openHostStage(
  settings: Partial<HostSettings> = {},
  runtime: StagedRuntime = 'claude',
  prepareHome: (home: string) => void = () => {},
): Promise<HostStage> {
  const stage = await openings[runtime]();
  const at = new HostStage(
    stage,
    {
      slots: 4,
      retries: 2,
      idleTimeoutMinutes: 15,
      keepSpare: false,
      ...settings,
    },
    runtime,
  );
  onTestFinished(async () => await at.close());
  prepareHome(at.home);
  await at.open();
  return at;
}

/** A host under test, and what a test asks of it again and again. */
export class HostStage {
  readonly stage: Stage;
  readonly home: string;
  readonly log: string[] = [];
  readonly #settings: HostSettings;
  readonly #runtime: StagedRuntime;
  #composed: ComposedHost | null = null;
  #folders = 0;

  constructor(stage: Stage, settings: HostSettings, runtime: StagedRuntime = 'claude') {
    this.#runtime = runtime;
    this.stage = stage;
    this.home = join(stage.home, 'state');
    this.#settings = settings;
  }

  get host(): ComposedHost['host'] {
    return this.#opened().host;
  }

  get store(): ComposedHost['store'] {
    return this.#opened().store;
  }

  async open(): Promise<void> {
    this.#composed = await composeHost({
      home: this.home,
      settings: this.#settings,
      env: this.stage.env,
      log: (line) => this.log.push(line),
    });
  }

  /** Closes the host as a worker that ends; its agents go on. */
  async leave(): Promise<void> {
    const composed = this.#composed;
    this.#composed = null;
    await composed?.[Symbol.asyncDispose]();
  }

  async close(): Promise<void> {
    try {
      if (this.#composed) await this.host.stopAgents(owner);
      await this.leave();
    } finally {
      await this.stage[Symbol.asyncDispose]();
    }
  }

  /** A new empty workspace. */
  folder(): string {
    this.#folders += 1;
    const path = join(this.stage.home, `work-${this.#folders}`);
    mkdirSync(path);
    return path;
  }

  /** Submits work: to the thread that is named, else to a new one in a folder of its own. */
  async work(text: string, request: Partial<DispatchRequest> = {}): Promise<Dispatch> {
    const place = request.thread
      ? {}
      : { runtime: this.#runtime, workspace: request.workspace ?? { path: this.folder() } };
    const { dispatch } = await this.host.dispatches.submit({ text, ...place, ...request }, { actor: owner });
    return dispatch;
  }

  async ended({ id }: { readonly id: DispatchId }): Promise<Dispatch> {
    return await this.host.dispatches.ended(id, never);
  }

  /** Submits work and waits for its outcome. */
  async done(text: string, request: Partial<DispatchRequest> = {}): Promise<Dispatch> {
    return await this.ended(await this.work(text, request));
  }

  /** The dispatch once it is in this state. */
  async reached({ id }: { readonly id: DispatchId }, state: Dispatch['state']): Promise<Dispatch> {
    return await this.dispatch({ id }, (dispatch) => dispatch.state === state);
  }

  async dispatch(
    { id }: { readonly id: DispatchId },
    isSo: (dispatch: Dispatch) => boolean,
  ): Promise<Dispatch> {
    return await eventually(
      'the dispatch is as wanted',
      async () => await this.host.dispatches.get(id),
      isSo,
    );
  }

  /** The thread once it is so. */
  async thread(id: ThreadId, isSo: (thread: Thread) => boolean = () => true): Promise<Thread> {
    return await eventually('the thread is as wanted', async () => await this.host.threads.get(id), isSo);
  }

  async status(id: ThreadId, state: StatusReport['state']): Promise<StatusReport> {
    return (await this.thread(id, ({ status }) => status.state === state)).status;
  }

  /** The active open prompt of a thread, once there is one. */
  async asked(threadId: ThreadId, besides: readonly Prompt[] = []): Promise<Prompt> {
    const [prompt] = await eventually(
      'the thread asks',
      async () => {
        const { rows } = await this.host.prompts.list({ threadId, open: true });
        return rows.filter(({ id, active }) => active && !besides.some((known) => known.id === id));
      },
      (rows) => rows.length > 0,
    );
    if (!prompt) throw new Error('unreachable');
    return prompt;
  }

  /** The open prompts of a thread, once there are so many; the active one first. */
  async prompts(threadId: ThreadId, count: number): Promise<Prompt[]> {
    const { rows } = await eventually(
      `the thread has ${count} open prompts`,
      async () => await this.host.prompts.list({ threadId, open: true }),
      (page) => page.rows.length === count,
    );
    return rows.toSorted((a, b) => Number(b.active) - Number(a.active));
  }

  /** A prompt once it is so. */
  async prompt({ id }: Pick<Prompt, 'id'>, isSo: (prompt: Prompt) => boolean = () => true): Promise<Prompt> {
    return await eventually('the prompt is as wanted', async () => await this.host.prompts.get(id), isSo);
  }

  /** Every event of a thread, or those of some types. */
  async events(threadId: ThreadId, ...types: readonly string[]): Promise<StageEvent[]> {
    const { events } = await this.host.threads.events(threadId, { limit: 5000 });
    return events
      .filter(({ type }) => types.length === 0 || types.includes(type))
      .map(({ seq, runId, json }) => ({
        ...(JSON.parse(json) as StageEvent),
        seq,
        ...(runId ? { runId } : {}),
      }));
  }

  /** The first event of a type, once it is there. */
  async firstEvent(
    threadId: ThreadId,
    type: string,
    isIt: (event: StageEvent) => boolean = () => true,
  ): Promise<StageEvent> {
    const [event] = await eventually(
      `the thread tells ${type}`,
      async () => (await this.events(threadId, type)).filter(isIt),
      (events) => events.length > 0,
    );
    if (!event) throw new Error('unreachable');
    return event;
  }

  /** Waits until a process with this in its command line runs here, or until none does. */
  async runs(command: string, { isThere = true }: { readonly isThere?: boolean } = {}): Promise<void> {
    await waitUntil(`${command} ${isThere ? 'runs' : 'is gone'}`, async () => {
      const running = await markedProcesses(this.stage.mark);
      return running.some((each) => each.command.includes(command)) === isThere;
    });
  }

  /** What people and programs said to the model in the conversation of its newest request that holds this text. */
  modelHeard(text = ''): string[] {
    const heard = this.stage.simulator
      .modelRequests()
      .map(({ conversation }) =>
        (conversation?.entries ?? []).flatMap((entry) =>
          entry.kind === 'user' && !entry.text.trimStart().startsWith('<') ? [entry.text] : [],
        ),
      );
    return heard.findLast((texts) => texts.some((each) => each.includes(text))) ?? [];
  }

  /** The texts of tool results that the model was given. */
  toolResults(): string[] {
    return this.stage.simulator.toolResults().map((result) => result.text);
  }

  /** Waits until the model is asked with a prompt that holds this text. */
  async modelAsked(text: string): Promise<void> {
    await this.stage.simulator.waitFor((request) =>
      (request.conversation?.entries ?? []).some(
        (entry) => entry.kind === 'user' && entry.text.includes(text),
      ),
    );
  }

  /** Kills with SIGKILL what runs on this stage: its agents, or their runners. */
  async kill(what: 'agent' | 'runner'): Promise<void> {
    // An agent that dies before it has saved its session cannot be resumed by anybody.
    await holdsWithin(10_000, () => this.#hasSavedSession());
    const running = await markedProcesses(this.stage.mark);
    const victims = running.filter(
      ({ command }) => isRunner(command) === (what === 'runner') && isOurs(command),
    );
    if (victims.length === 0) throw new Error(`no ${what} runs: ${JSON.stringify(running)}`);
    for (const { pid } of victims) process.kill(pid, 'SIGKILL');
  }

  /** Waits until nothing runs on this stage any more. */
  async gone(): Promise<void> {
    await eventually(
      'nothing runs here',
      async () => await markedProcesses(this.stage.mark),
      (all) => all.length === 0,
    );
  }

  #hasSavedSession(): boolean {
    // The others tell their session only once it is saved.
    if (this.#runtime !== 'claude') return true;
    const projects = join(this.stage.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects');
    if (!existsSync(projects)) return false;
    return readdirSync(projects, { recursive: true, encoding: 'utf8' }).some(
      (file) => file.endsWith('.jsonl') && readFileSync(join(projects, file), 'utf8').includes('"assistant"'),
    );
  }

  #opened(): ComposedHost {
    if (!this.#composed) throw new Error('the host is closed');
    return this.#composed;
  }
}

/** The refusal that an act is answered with: its code and its sentence. */
export async function refusal(act: Promise<unknown>): Promise<Pick<Failure, 'code' | 'message'>> {
  const thrown: unknown = await act.then(
    () => null,
    (error: unknown) => error,
  );
  // The built code has a class of its own, so the name is what tells.
  expect(thrown).toMatchObject({ name: 'Failure' });
  const { code, message } = thrown as Failure;
  return { code, message };
}

function isRunner(command: string): boolean {
  return command.includes('handraise-runner');
}

function isOurs(command: string): boolean {
  return isRunner(command) || /claude\b.*stream-json|codex app-server|opencode\.exe serve/.test(command);
}
