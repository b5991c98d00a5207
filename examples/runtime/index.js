// An adapter for Handraise in a package of its own: an agent that is a program (MY_AGENT), started once for each message, with
// the message on stdin and its answer on stdout. docs/writing-an-adapter.md explains what the parts are for.
import { join } from 'node:path';
import { AgentProcess, Failure, isSentinelThere, needsInputPath } from 'handraise/runtime';

/**
 * @typedef {import('handraise/runtime').Launch} Launch
 * @typedef {import('handraise/runtime').RuntimeHost} RuntimeHost
 * @typedef {import('handraise/runtime').RuntimeExit} RuntimeExit
 * @typedef {import('handraise/runtime').TurnInput} TurnInput
 */

const graceMs = { stdin: 100, sigterm: 2000 };

/** @type {import('handraise/runtime').OutsideAdapter} */
export const runtime = {
  check({ env }) {
    if (!env['MY_AGENT']) throw new Failure('config', 'Say in MY_AGENT which program the agent is.');
  },
  open: (launch, host) => new Session(launch, host),
};

/** One conversation with the agent. */
class Session {
  #launch;
  #host;
  /** @type {AgentProcess | null} */
  #process = null;
  /** @type {Promise<unknown>} */
  #turn = Promise.resolve();
  #isInterrupted = false;
  /** @type {(exit: RuntimeExit) => void} */
  #leave = () => {};
  /** @type {Promise<RuntimeExit>} */
  exited = new Promise((resolve) => {
    this.#leave = resolve;
  });

  /** @param {Launch} launch @param {RuntimeHost} host */
  constructor(launch, host) {
    this.#launch = launch;
    this.#host = host;
  }

  /** @param {TurnInput} turn */
  begin(turn) {
    this.#isInterrupted = false;
    this.#turn = this.#run(turn);
  }

  async interrupt() {
    this.#isInterrupted = true;
    await this.#process?.end(graceMs);
    await this.#turn;
  }

  async control() {
    return null;
  }

  end() {
    void this.#turn.then(() => this.#gone());
  }

  async [Symbol.asyncDispose]() {
    await this.interrupt();
    this.#gone();
  }

  /** @param {TurnInput} turn */
  async #run({ uuid, content }) {
    const { emit, now, marker, whenWritable } = this.#host;
    const { cwd, env, conversationId } = this.#launch;
    const startedAt = now();
    emit({ type: 'turn_started', origin: 'message' });
    // By this variable Handraise finds whatever the agent leaves running.
    const marked = { ...env, [marker.name]: marker.value };
    const agent = new AgentProcess(this.#launch, this.#host);
    const [file = '', ...args] = (env['MY_AGENT'] ?? '').split(' ');
    const child = agent.start({ file, args, cwd, env: marked });
    this.#process = agent;
    emit({
      type: 'status_evidence',
      fact: 'sign_of_life',
      source: 'mine.process',
      confidence: 'weak',
      at: new Date(now()).toISOString(),
    });
    child.stdin.end(content);
    let text = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      text += chunk;
      emit({ type: 'text_delta', content: chunk });
      // A full journal pauses the agent.
      await whenWritable();
    }
    const exit = (await agent.exited()) ?? { exitCode: null, signal: null, oom: false };
    // What the agent started goes with it.
    await agent.end(graceMs);
    this.#process = null;
    const wasInterrupted = this.#isInterrupted;
    const success = exit.exitCode === 0 && !wasInterrupted;
    emit({
      type: 'turn_ended',
      sessionId: conversationId,
      interrupted: wasInterrupted,
      result: {
        success,
        subtype: success ? 'success' : wasInterrupted ? 'error_interrupted' : 'error_exit_code',
        ...(success
          ? { text }
          : { errors: [wasInterrupted ? 'The turn was interrupted.' : agent.lastWords] }),
        ...(wasInterrupted ? { errorKind: /** @type {const} */ ('interrupted') } : {}),
        cost: null,
        turns: 1,
        usage: null,
        origin: 'message',
        messageUuid: uuid,
        durationMs: now() - startedAt,
      },
    });
  }

  #gone() {
    const sentinel = join(this.#launch.cwd, needsInputPath);
    const left = isSentinelThere(sentinel) ? { needsInputSentinelPath: sentinel } : {};
    this.#leave({ exitCode: 0, signal: null, oom: false, ...left });
  }
}
