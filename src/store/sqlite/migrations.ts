import { type Kysely, type Migration, Migrator } from 'kysely';
import { base } from './migrations/0001-base.js';
import { runStates } from './migrations/0002-run-states.js';
import { threadGrants } from './migrations/0003-thread-grants.js';
import { heldAnswers } from './migrations/0004-held-answers.js';
import { untoldPrompts } from './migrations/0005-untold-prompts.js';
import { ownReports } from './migrations/0006-own-reports.js';
import { toolOutputs } from './migrations/0007-tool-outputs.js';
import { workOrigins } from './migrations/0008-work-origins.js';
import { landingRecords } from './migrations/0009-landings.js';
import { droppedAnswers } from './migrations/0010-dropped-answers.js';
import { namesAndSearch } from './migrations/0011-names-and-search.js';
import { retention } from './migrations/0012-retention.js';
import { reviewCommentRecords } from './migrations/0013-review-comments.js';
import { threadTerminals } from './migrations/0015-terminals.js';
import { scheduleRecords } from './migrations/0016-schedules.js';
import { movedEvents } from './migrations/0017-moved-events.js';
import { quotaWaits } from './migrations/0018-quota.js';
import { dispatchDecisions } from './migrations/0019-decisions.js';
import { spendingLimits } from './migrations/0020-budgets.js';
import { pipelineRecords } from './migrations/0021-pipelines.js';
import { dispatchParents } from './migrations/0022-parents.js';
import { givenUpPrompts } from './migrations/0026-given-up-prompts.js';
import { usageByStatus } from './migrations/0028-usage-by-status.js';
import { threadSnoozes } from './migrations/0030-snooze.js';
import { precedentRecords } from './migrations/0031-precedents.js';
import { workerProfiles } from './migrations/0033-worker-profiles.js';
import { threadAccounts } from './migrations/0037-accounts.js';
import { promptWork } from './migrations/0041-prompt-work.js';
import { searchBacklog } from './migrations/0042-search-backlog.js';

/** Every step from an empty database to the schema of this program, by name, in order. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-base': base,
  '0002-run-states': runStates,
  '0003-thread-grants': threadGrants,
  '0004-held-answers': heldAnswers,
  '0005-untold-prompts': untoldPrompts,
  '0006-own-reports': ownReports,
  '0007-tool-outputs': toolOutputs,
  '0008-work-origins': workOrigins,
  '0009-landings': landingRecords,
  '0010-dropped-answers': droppedAnswers,
  '0011-names-and-search': namesAndSearch,
  '0012-retention': retention,
  '0013-review-comments': reviewCommentRecords,
  '0015-terminals': threadTerminals,
  '0016-schedules': scheduleRecords,
  '0017-moved-events': movedEvents,
  '0018-quota': quotaWaits,
  '0019-decisions': dispatchDecisions,
  '0020-budgets': spendingLimits,
  '0021-pipelines': pipelineRecords,
  '0022-parents': dispatchParents,
  '0026-given-up-prompts': givenUpPrompts,
  '0028-usage-by-status': usageByStatus,
  '0030-snooze': threadSnoozes,
  '0031-precedents': precedentRecords,
  '0033-worker-profiles': workerProfiles,
  '0037-accounts': threadAccounts,
  '0041-prompt-work': promptWork,
  '0042-search-backlog': searchBacklog,
};

/** The steps that a database still lacks. */
export async function runMigrations<Schema>(db: Kysely<Schema>): Promise<void> {
  const provider = { getMigrations: () => Promise.resolve({ ...migrations }) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
}
