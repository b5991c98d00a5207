import type { DoctorLine } from './doctor-line.js';

/** The worker of a home, as this command sees it. */
export type ExaminedWorker =
  | { readonly state: 'none' }
  /** What names the worker cannot be read, so commands cannot find one or start one. */
  | { readonly state: 'unreadable'; readonly why: string }
  | { readonly state: 'silent'; readonly pid: number }
  | {
      readonly state: 'answers';
      readonly pid: number;
      readonly version: string;
      /** The runtimes that it finds. */
      readonly runtimes: readonly string[];
    };

/** Compares the worker with what this shell has: agents get the environment that the worker was started with. */
export function workerLines(
  worker: ExaminedWorker,
  own: { readonly version: string; readonly runtimes: readonly string[] },
): readonly DoctorLine[] {
  const line = { part: 'Worker', name: 'worker' } as const;
  const restart = 'Restart it; agents keep running: handraise down && handraise up -d';
  switch (worker.state) {
    case 'none':
      return [{ ...line, state: 'good', says: 'none is running; the next work starts one' }];
    case 'unreadable':
      return [{ ...line, state: 'broken', says: worker.why, fix: 'Then start it again: handraise up -d' }];
    case 'silent':
      return [
        {
          ...line,
          state: 'broken',
          says: `process ${worker.pid} holds the home and does not answer`,
          fix: 'End it; its agents keep running: handraise down',
        },
      ];
    case 'answers': {
      const unseen = own.runtimes.filter((name) => !worker.runtimes.includes(name));
      return [
        worker.version === own.version
          ? { ...line, state: 'good', says: `process ${worker.pid}, version ${worker.version}` }
          : {
              ...line,
              state: 'broken',
              says: `process ${worker.pid} has version ${worker.version}, and this command ${own.version}`,
              fix: restart,
            },
        ...(unseen.length === 0
          ? []
          : [
              {
                ...line,
                name: 'its environment',
                state: 'warns' as const,
                says: `it does not find ${unseen.join(', ')}, which this shell does`,
                fix: restart,
              },
            ]),
      ];
    }
    default:
      return worker satisfies never;
  }
}
