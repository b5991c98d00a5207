const mostNamed = 10;

/** What a person hears of conflicts, and what to do about them. */
export function conflictSentence(conflict: {
  readonly into: string;
  readonly conflicts: readonly string[];
  readonly isGiven: boolean;
}): string {
  const { into, conflicts, isGiven } = conflict;
  const next = isGiven
    ? 'The agent was asked to resolve them; merge again when it is done.'
    : 'Let the agent resolve them with: --resolve-with-agent';
  return `The work and ${into} changed the same lines of ${named(conflicts)}. Nothing was changed. ${next}`;
}

/** What the agent hears of conflicts. */
export function conflictMessage(into: string, conflicts: readonly string[]): string {
  return (
    `Your work cannot be merged into ${into}: both changed the same lines of ${named(conflicts)}. ` +
    `Commit what you have not committed. Then merge ${into} into your branch (git merge ${into}), resolve the conflicts so that ` +
    'both changes keep their purpose, run the tests, and commit the merge. Do not push and do not switch branches.'
  );
}

function named(paths: readonly string[]): string {
  const more = paths.length - mostNamed;
  const list = paths
    .slice(0, mostNamed)
    .map((path) => JSON.stringify(path))
    .join(', ');
  return more > 0 ? `${list} and ${more} more files` : list;
}
