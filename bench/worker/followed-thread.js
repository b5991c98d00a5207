/** @typedef {import('../shared/worker-process.js').WorkerProcess} WorkerProcess */
/** @typedef {import('../../dist/client/index.js').FollowedEvent} ThreadEvent */
/** @typedef {import('../../dist/protocol/index.js').ThreadId} ThreadId */

/** A thread of a worker, followed over SSE with its live text, as a console follows it. */
export class FollowedThread {
  #worker;
  #ending = new AbortController();
  /** @type {(event: ThreadEvent) => void} */
  #listener = () => {};
  #text = '';

  /** @param {WorkerProcess} worker @param {ThreadId} threadId */
  constructor(worker, threadId) {
    this.#worker = worker;
    this.id = threadId;
    void this.#follow();
  }

  /**
   * Submits work to a new thread, follows it, and tells how long after the request each thing was seen.
   * @param {WorkerProcess} worker @param {{ text: string, cwd: string }} work
   */
  static async begin(worker, { text, cwd }) {
    const request = { text, workspace: { path: cwd }, permissions: /** @type {const} */ ('autonomous') };
    const sentAt = performance.now();
    const { threadId } = await worker.client.dispatches.submit(request);
    const thread = new FollowedThread(worker, threadId);
    return { thread, seen: await thread.#untilEnded(sentAt) };
  }

  /** Says something to the agent and tells how long after the request each thing was seen. @param {string} text */
  async turn(text) {
    this.#text = '';
    const sentAt = performance.now();
    const ended = this.#untilEnded(sentAt);
    await this.#worker.client.threads.post(this.id, { content: [{ type: 'text', text }] });
    return { ...(await ended), text: this.#text };
  }

  /** Ends the agent; the thread stays. */
  async stop() {
    this.close();
    await this.#worker.client.threads.stop(this.id);
  }

  close() {
    this.#ending.abort();
  }

  /** @param {number} sentAt */
  async #untilEnded(sentAt) {
    const seen = { startMs: 0, firstTextMs: 0, textMs: 0, resultMs: 0, outcomeMs: 0, frames: 0 };
    await new Promise((resolve) => {
      this.#listener = (event) => {
        const ms = performance.now() - sentAt;
        if (event.type === 'command_accepted') seen.startMs = ms;
        if (event.type === 'text_delta') {
          seen.firstTextMs ||= ms;
          seen.textMs = ms;
          seen.frames += 1;
          this.#text += event['content'];
        }
        if (event.type === 'result') seen.resultMs = ms;
        if (event.type === 'dispatch_ended') {
          seen.outcomeMs = ms;
          resolve(undefined);
        }
      };
    });
    return seen;
  }

  async #follow() {
    const { signal } = this.#ending;
    for await (const event of this.#worker.client.events(this.id, { live: true, signal })) {
      this.#listener(event);
    }
  }
}
