import { useEffect, useState } from 'react';
import type { ProjectCodeReport } from '../../protocol/api.js';
import { useConsole } from '../console-context.js';

const skillFile = /^skills\/([^/]+)$/;
const typedWithinMs = 300;

/** The names of what lies in a project's folder `skills/`; none while the folder is being typed, or is none. */
export function useSkills(folder: string): readonly string[] {
  const { client } = useConsole();
  const [found, setFound] = useState<{ readonly folder: string; readonly names: readonly string[] }>();
  useEffect(() => {
    if (!folder.startsWith('/')) return undefined;
    let isLeft = false;
    const timer = setTimeout(() => {
      client.projectCode(folder).then(
        (report) => !isLeft && setFound({ folder, names: namesIn(report) }),
        // A folder that is not there is refused when the work is given.
        () => {},
      );
    }, typedWithinMs);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [client, folder]);
  return found?.folder === folder ? found.names : [];
}

function namesIn({ skills }: ProjectCodeReport): string[] {
  return (skills?.files ?? []).flatMap(({ path }) => skillFile.exec(path)?.[1] ?? []);
}
