import { useEffect, useState } from 'react';
import * as z from 'zod';
import { AgentModel } from '../../protocol/agent-report.js';
import { useConsole } from '../console-context.js';
import { useOverview } from '../overview/use-overview.js';

const Kept = z.array(AgentModel).max(500);

/**
 * The models of a runtime: as one of its agents lists them that is there now, else as the last one did in this browser.
 * Nothing is started to find out, and where nobody can tell the list is empty.
 */
export function useModels(runtime: string, isListed: boolean): readonly AgentModel[] {
  const { client, overview } = useConsole();
  const { threads } = useOverview(overview);
  const [heard, setHeard] = useState<{ readonly runtime: string; readonly models: readonly AgentModel[] }>();
  const able = Array.from(threads.values()).find(
    (thread) => thread.runtime === runtime && thread.status.state === 'idle',
  );
  const asked = isListed && heard?.runtime !== runtime ? able?.id : undefined;
  useEffect(() => {
    if (asked === undefined) return undefined;
    let isLeft = false;
    const read = async () => {
      try {
        const models = await client.threads.models(asked);
        keep(runtime, models);
        if (!isLeft) setHeard({ runtime, models });
      } catch {
        // An agent that has just ended; its model can still be typed.
      }
    };
    void read();
    return () => {
      isLeft = true;
    };
  }, [client, asked, runtime]);
  if (!isListed) return [];
  return heard?.runtime === runtime ? heard.models : kept(runtime);
}

function kept(runtime: string): readonly AgentModel[] {
  try {
    return Kept.safeParse(JSON.parse(localStorage.getItem(keyOf(runtime)) ?? '[]')).data ?? [];
  } catch {
    return [];
  }
}

function keep(runtime: string, models: readonly AgentModel[]): void {
  try {
    localStorage.setItem(keyOf(runtime), JSON.stringify(models));
  } catch {
    // Asked again next time, then.
  }
}

function keyOf(runtime: string): string {
  return `handraise-models ${runtime}`;
}
