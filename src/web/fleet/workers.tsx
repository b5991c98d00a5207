import { type ReactNode, useEffect, useState } from 'react';
import { plainLine } from '../../domain/words/plain-text.js';
import type { RuntimeReport, WorkerReport } from '../../protocol/api.js';
import { useNow } from '../clock.js';
import { useConsole } from '../console-context.js';
import { Age } from '../parts/age.js';
import { MarkView } from '../parts/mark.js';
import { readFailed } from '../parts/read-failure.js';

const refreshMs = 5000;
// A worker beats every few seconds; one that was silent for a minute is gone or asleep.
const aliveMs = 60_000;

/** The processes that own the agents, and the runtimes that they found. */
export function Workers(): ReactNode {
  const { client, clock } = useConsole();
  const now = useNow(clock);
  const [workers, setWorkers] = useState<readonly WorkerReport[]>([]);
  const [runtimes, setRuntimes] = useState<readonly RuntimeReport[]>([]);
  useEffect(() => {
    const read = () => client.workers().then(setWorkers, readFailed);
    void read();
    const timer = setInterval(() => void read(), refreshMs);
    client.runtimes().then(setRuntimes, readFailed);
    return () => clearInterval(timer);
  }, [client]);
  return (
    <section aria-labelledby="workers-head">
      <h2 id="workers-head">Workers</h2>
      <table className="workers">
        <thead>
          <tr>
            <th scope="col">Worker</th>
            <th scope="col">State</th>
            <th scope="col">Running for</th>
            <th scope="col">Last signal</th>
          </tr>
        </thead>
        <tbody>
          {workers.map(({ id, name, startedAt, heartbeatAt }) => {
            const isAlive = now - Date.parse(heartbeatAt) < aliveMs;
            return (
              <tr key={id}>
                <td title={id}>{plainLine(name)}</td>
                <td>
                  <MarkView
                    mark={
                      isAlive
                        ? { symbol: '●', word: 'Running', tone: 'work' }
                        : { symbol: '·', word: 'No signal', tone: 'quiet' }
                    }
                  />
                </td>
                <td>
                  <Age at={startedAt} />
                </td>
                <td>
                  <Age at={heartbeatAt} /> ago
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="note">
        Runtimes:{' '}
        {runtimes
          .map(({ name, found, version }) => `${name} ${found ? (version ?? '') : '(not installed)'}`.trim())
          .join(', ')}
      </p>
    </section>
  );
}
