import { cancelledEnding, outcomeOf } from '../../domain/dispatch/outcome.js';
import { resolvePermissions } from '../../domain/dispatch/permissions.js';
import { isOpen } from '../../domain/prompts/thread-prompt.js';
import { Failure } from '../../protocol/failure.js';
import type { ThreadId } from '../../protocol/id.js';
import type { PermissionMode, Posture } from '../../protocol/posture.js';
import type { PromptActor } from '../../protocol/prompt.js';
import { stringField } from '../../protocol/string-field.js';
import { type Clock, instant } from '../clock.js';
import type { Admission } from '../dispatches/admission.js';
import type { DispatchService } from '../dispatches/dispatch-service.js';
import type { Actor } from '../host.js';
import { promptChange, promptsIn } from '../prompts/thread-prompts.js';
import { agentReply } from '../runs/agent-reply.js';
import type { AttachedRunners } from '../runs/attached-runners.js';
import type { CommandDelivery } from '../runs/command-delivery.js';
import type { Interruption } from '../runs/interruption.js';
import type { RunSupervisor } from '../runs/run-supervisor.js';
import { rewindFiles } from './rewinding.js';
import type { ThreadChanges } from './thread-changes.js';

// An agent that has just been started opens its session first.
const modelPatienceMs = 60_000;

const askingModes: ReadonlySet<PermissionMode> = new Set(['default', 'plan']);

export interface AgentControlParts {
  readonly changes: ThreadChanges;
  readonly delivery: CommandDelivery;
  readonly supervisor: RunSupervisor;
  readonly runners: AttachedRunners;
  readonly interruption: Interruption;
  readonly admission: Admission;
  readonly dispatches: DispatchService;
  readonly clock: Clock;
  readonly newUuid: () => string;
}

/** Steers the agent of a thread: interrupts and ends it, changes its model and mode, takes its files back. */
export class AgentControl {
  readonly #parts: AgentControlParts;

  constructor(parts: AgentControlParts) {
    this.#parts = parts;
  }

  async interrupt(id: ThreadId, actor: Actor): Promise<void> {
    await this.#cancelPrompts(id, 'turn_cancelled', actor);
    await this.#parts.interruption.interrupt(id);
  }

  async stop(id: ThreadId, actor: Actor): Promise<void> {
    const { run } = await this.#parts.changes.state(id);
    if (run) await this.end(id, `stopped by ${actor}`, { promptReason: 'turn_cancelled', actor });
  }

  /** Ends the agent of a thread properly: its prompts are cancelled first, its work is called off. */
  async end(
    id: ThreadId,
    reason: string,
    options: { readonly promptReason: string; readonly actor?: PromptActor },
  ): Promise<void> {
    const { changes, delivery, supervisor, dispatches } = this.#parts;
    const { promptReason, actor } = options;
    const asked = (await changes.state(id)).prompts.filter(isOpen);
    const outcome = outcomeOf({ ...cancelledEnding, reason });
    await dispatches.callOffThread(id, { outcome, promptReason });
    await this.#cancelPrompts(id, promptReason, actor);
    await delivery.withdrawAll(
      id,
      asked.map((prompt) => ({ ...prompt, reason: promptReason })),
    );
    const { run } = await changes.state(id);
    if (run) await supervisor.end(run.run.id, reason);
  }

  async setPermissionMode(id: ThreadId, permissionMode: PermissionMode, actor: Actor): Promise<void> {
    const { thread } = await this.#parts.changes.state(id);
    resolvePermissions({ permissions: thread.launch.permissions, permissionMode });
    await this.amend(id, { permissionMode }, actor);
  }

  /** Whether everything that the agent would change is asked: in the mode it is in, and in the one it is started with. */
  async asksFirst(id: ThreadId): Promise<boolean> {
    const { thread, run } = await this.#parts.changes.state(id);
    const { permissions, posture } = thread.launch;
    const modes = [posture.permissionMode, run?.run.posture.permissionMode, run?.facts.mode];
    return permissions === 'approval' && modes.every((mode = 'default') => askingModes.has(mode));
  }

  /** Changes what the agent was launched with; recorded with its actor. */
  async amend(id: ThreadId, posture: Posture, actor: Actor): Promise<void> {
    const { changes, admission, supervisor, clock } = this.#parts;
    const { run } = await changes.state(id);
    if (!run) throw notRunning(id);
    admission.checkAmended(run, posture);
    await supervisor.amend(run.run.id, { posture, actor, at: instant(clock) });
  }

  /** Asks the agent first: a model that it does not know is refused, and the next run would not start with it. */
  async setModel(id: ThreadId, model: string, actor: Actor): Promise<void> {
    const { changes, admission, runners, newUuid } = this.#parts;
    const { run } = await changes.state(id);
    if (!run) throw notRunning(id);
    admission.checkAmended(run, { model });
    await agentReply(
      { changes, runners },
      {
        threadId: id,
        runId: run.run.id,
        command: { type: 'set_model', model, commandId: `model-${newUuid()}` },
        done: 'changed its model',
        patienceMs: modelPatienceMs,
        refusal: 'invalid',
        read: (event) =>
          event.type === 'model_changed' && stringField(JSON.parse(event.json), 'model') === model
            ? event
            : undefined,
      },
    );
    await this.amend(id, { model }, actor);
  }

  async rewind(id: ThreadId, checkpointUuid: string): Promise<void> {
    const { changes, runners, newUuid } = this.#parts;
    const { run } = await changes.state(id);
    if (!run)
      throw new Failure('conflict', `The agent of ${id} is not running. Send it a message, then rewind.`);
    await rewindFiles(
      { changes, runners },
      { threadId: id, runId: run.run.id, checkpointUuid, commandId: `rewind-${newUuid()}` },
    );
  }

  async #cancelPrompts(id: ThreadId, reason: string, actor: PromptActor | undefined): Promise<void> {
    await this.#parts.changes.commit(id, (state) => {
      const prompts = promptsIn(state);
      prompts.cancelAll(reason, actor);
      return prompts.changes.length === 0 ? null : promptChange(state, prompts, undefined);
    });
  }
}

function notRunning(id: ThreadId): Failure {
  return new Failure('conflict', `The agent of ${id} is not running. Send it a message, then try again.`);
}
