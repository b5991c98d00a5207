import { useEffect, useState } from 'react';
import type { RuntimeReport } from '../../protocol/api.js';
import { useConsole } from '../console-context.js';
import { readFailed } from '../parts/read-failure.js';

/** What an agent's runtime can be told besides yes and no; what it cannot is not offered. */
export interface Abilities {
  readonly editedInput: boolean;
  readonly denyWithMessage: boolean;
}

/** The abilities of a runtime; until they are known, everything is offered, and the worker refuses what cannot be. */
export function useAbilities(runtime: string | undefined): Abilities {
  const { client } = useConsole();
  const [reports, setReports] = useState<readonly RuntimeReport[]>([]);
  useEffect(() => {
    client.runtimes().then(setReports, readFailed);
  }, [client]);
  const { editedInput, denyWithMessage } = reports.find(({ name }) => name === runtime)?.capabilities ?? {};
  return { editedInput: editedInput !== false, denyWithMessage: denyWithMessage !== false };
}
