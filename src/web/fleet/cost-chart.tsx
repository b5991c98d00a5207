import { type ReactNode, useEffect, useId, useState } from 'react';
import { statusMarks } from '../../domain/status/status-mark.js';
import { money } from '../../domain/words/money.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { resourceWords } from '../../domain/words/resource-words.js';
import type { UsageReport } from '../../protocol/api.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { keysOf } from '../../protocol/keys.js';
import type { ResourceReport } from '../../protocol/resource-use.js';
import { useConsole } from '../console-context.js';

const refreshMs = 15_000;
const mostBars = 14;

/** What was spent, as bars with their numbers; a cost that nobody knows is a dash, never 0. */
export function CostChart({
  by,
  title,
}: {
  readonly by: 'day' | 'runtime' | 'status';
  readonly title: string;
}): ReactNode {
  const { client } = useConsole();
  const head = useId();
  const [found, setFound] = useState<readonly UsageReport[] | string>([]);
  useEffect(() => {
    const read = () => client.usage(by).then(setFound, (error: unknown) => setFound(errorSentence(error)));
    void read();
    const timer = setInterval(() => void read(), refreshMs);
    return () => clearInterval(timer);
  }, [client, by]);
  if (typeof found === 'string') return <p className="note is-bad">{found}</p>;
  const bars =
    by === 'day' ? found.toSorted((one, other) => (one.key < other.key ? -1 : 1)).slice(-mostBars) : found;
  const highest = Math.max(0.000_001, ...bars.map(({ usage }) => usage.costUsd ?? 0));
  return (
    <section aria-labelledby={head}>
      <h2 id={head}>{title}</h2>
      {bars.length === 0 && <p className="note">No costs yet.</p>}
      {bars.length > 0 && (
        <table className="chart">
          <thead className="unseen">
            <tr>
              <th scope="col">{by}</th>
              <th scope="col">share</th>
              <th scope="col">cost</th>
              <th scope="col">tokens</th>
              <th scope="col">agents</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ key, usage, resources }) => (
              <tr key={key}>
                <th scope="row">{by === 'status' ? statusName(key) : plainLine(key)}</th>
                <td className="chart-bar">
                  <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                    <rect width={(100 * (usage.costUsd ?? 0)) / highest} height="10" className="fill-bar" />
                  </svg>
                </td>
                <td>{money(usage.costUsd)}</td>
                <td className="note">
                  {usage.inputTokens.toLocaleString()} in, {usage.outputTokens.toLocaleString()} out
                </td>
                <td className="note">{agentsSentence(resources)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** A status as every other page names it. */
function statusName(key: string): string {
  const state = keysOf(statusMarks).find((each) => each === key);
  return state === undefined ? plainLine(key) : statusMarks[state].word;
}

/** What the agents themselves took of the machine. */
function agentsSentence(resources: ResourceReport | undefined): string {
  if (!resources) return '–';
  const [alive, cpu, memory, peak] = resourceWords(resources);
  return `${cpu} of CPU in ${alive}, ${memory} (at most ${peak})`;
}
