// Plays the runners of all workers of the simulation, each with its own socket and journal, over our own runner; only the agent is
// made up: it thinks, says a paragraph, and so on, and may ask once.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { runMarker } from '../../dist/process/families/run-marker.js';
import { newId } from '../../dist/protocol/index.js';
import { readArguments } from '../../dist/runner/arguments.js';
import { startDetached } from '../../dist/runner/detached.js';
import { execCapabilities } from '../../dist/runtimes/exec/capabilities.js';

const source = { now: Date.now, randomBytes };
const { paragraphs, thinkMs } = JSON.parse(process.argv[2] ?? '{}');
const log = () => {};
const ignore = () => {};

/** @type {import('../../dist/runtimes/runtime.js').Runtime} */
const stub = {
  name: 'exec',
  capabilities: execCapabilities,
  needsInputSentinelPath: () => '/nowhere/needs-input',
  speaksOfLogin: () => false,
  check: () => {},
  open: (launch, host) => {
    /** @type {(exit: import('../../dist/runtimes/runtime.js').RuntimeExit) => void} */
    let leave = ignore;
    /** @type {Promise<import('../../dist/runtimes/runtime.js').RuntimeExit>} */
    const exited = new Promise((resolve) => {
      leave = resolve;
    });
    /** @param {import('../../dist/runtimes/runtime.js').TurnInput} turn */
    const play = async ({ uuid, content }) => {
      const { emit, ask, now } = host;
      const startedAt = now();
      emit({ type: 'turn_started', origin: 'message' });
      for (let said = 0; said < paragraphs; said += 1) {
        await delay(thinkMs);
        emit({
          type: 'text_delta',
          content: `Paragraph ${said} of this answer says a little of what was done.\n\n`,
        });
        if (said === 0 && content.includes('ask'))
          await ask(
            'question',
            {
              questions: [{ question: 'Shall I go on?', header: 'Go on', options: [], multiSelect: false }],
              toolUseId: `toolu_${uuid}`,
            },
            new AbortController().signal,
          );
      }
      const result = /** @type {const} */ ({ success: true, subtype: 'success', text: 'Done.' });
      const durationMs = now() - startedAt;
      emit({
        type: 'turn_ended',
        sessionId: launch.conversationId,
        interrupted: false,
        result: {
          ...result,
          cost: null,
          turns: 1,
          usage: null,
          origin: 'message',
          messageUuid: uuid,
          durationMs,
        },
      });
    };
    return {
      begin: (turn) => void play(turn),
      interrupt: async () => {},
      control: async () => null,
      end: () => leave({ exitCode: 0, signal: null, oom: false }),
      exited,
      [Symbol.asyncDispose]: async () => leave({ exitCode: 0, signal: null, oom: false }),
    };
  },
};

process.on('message', (message) => {
  const { args, identity, cwd } = Object(message);
  if (Object(message).kind === 'memory') process.send?.({ kind: 'memory', rss: process.memoryUsage.rss() });
  else if (args) void play({ args, identity, cwd });
});

/** @param {{ readonly args: readonly string[], readonly identity: any, readonly cwd: string }} run */
async function play({ args, identity, cwd }) {
  try {
    const invocation = readArguments(args, { cwd, env: {}, stateDir: cwd });
    if (invocation.kind !== 'run' || !invocation.detached) throw new Error('these are no arguments of a run');
    const world = {
      log,
      now: Date.now,
      wallClock: Date.now,
      newUuid: () => crypto.randomUUID(),
      newRequestId: () => newId('request', source),
      marker: runMarker(identity),
    };
    const { detached, launch } = invocation;
    const started = await startDetached(stub, launch, { detached, world });
    await started.runner.done;
    await started.close();
  } catch (error) {
    process.send?.({ kind: 'log', line: String(error) });
  }
  process.kill(identity.pid, 'SIGKILL');
}
