import { useEffect, useState } from 'react';
import type { RuntimeReport } from '../../protocol/api.js';
import { useConsole } from '../console-context.js';
import { readFailed } from '../parts/read-failure.js';

/** The runtimes of the worker, once they are wanted; none while nobody has told. */
export function useRuntimes(isWanted: boolean): readonly RuntimeReport[] {
  const { client } = useConsole();
  const [reports, setReports] = useState<readonly RuntimeReport[]>([]);
  useEffect(() => {
    if (isWanted) client.runtimes().then(setReports, readFailed);
  }, [client, isWanted]);
  return reports;
}
