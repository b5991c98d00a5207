import type { RunMemory } from '../process/children/run-memory.js';
import type { Runtime } from '../runtimes/runtime.js';

const lookMs = 1000;

/** Tells of processes that were killed for want of memory while their agent goes on; the agent's own end tells of itself. */
export function watchingMemory(
  runtime: Runtime,
  memory: Pick<RunMemory, 'newKills' | 'told' | 'isAgentDying'>,
): Runtime {
  return {
    ...runtime,
    open: (launch, host) => {
      const session = runtime.open(launch, host);
      let before = 0;
      const timer = setInterval(() => {
        const { newKills } = memory;
        // Only what an agent has outlived by a look was not its own end.
        const isOutlived = before > 0 && newKills > 0 && !memory.isAgentDying;
        before = isOutlived ? 0 : newKills;
        if (!isOutlived) return;
        memory.told();
        host.emit({ type: 'warning', message: killedSentence(newKills) });
      }, lookMs);
      timer.unref();
      void session.exited.finally(() => clearInterval(timer));
      return session;
    },
  };
}

function killedSentence(count: number): string {
  const who =
    count === 1
      ? 'A process that the agent had started was'
      : `${count} processes that the agent had started were`;
  return `${who} killed by the system because memory ran out. The agent goes on.`;
}
