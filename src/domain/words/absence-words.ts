const before = 'its worker ';
const after = ' does not answer, and its folder is only there';

/** Why work waits whose worker is gone. */
export function absenceWhy(worker: string): string {
  return `${before}${worker}${after}`;
}

/** Whether that is why; the worker that comes back takes it away. */
export function isAbsenceWhy(why: string | undefined): boolean {
  return why !== undefined && why.startsWith(before) && why.endsWith(after);
}

/** What a thread says whose work waits for a worker that is gone. */
export function absenceNotice(worker: string): string {
  return (
    `${worker} does not answer any more. The work waits for it, because its folder is only there. ` +
    `Start that worker again, or cancel the work and give it to another one.`
  );
}

/** What a thread says that another worker goes on with. */
export function takenOverNotice({
  from,
  by,
  isDraining,
  pushed,
}: {
  readonly from: string;
  readonly by: string;
  readonly isDraining: boolean;
  /** For work in a repository: the branch on which it was pushed, null where it never was. */
  readonly pushed?: string | null;
}): string {
  const files =
    pushed === undefined
      ? ''
      : ` The files are fetched anew, ${pushed === null ? 'as they were when the work began' : `from what was pushed to ${pushed}`}; whatever else was changed is only at ${from}.`;
  const why = isDraining ? 'takes no new work' : 'does not answer any more';
  return (
    `${from} ${why}, so ${by} has taken over. What was under way starts afresh, in a new session; ` +
    `questions and answers are kept.${files}`
  );
}
