import { claimsContract } from './claims.js';
import { eventsContract } from './events.js';
import { landingsContract } from './landings.js';
import { leasesContract } from './leases.js';
import { listsContract } from './lists.js';
import { noticesContract } from './notices.js';
import { pageBytesContract } from './page-bytes.js';
import { pipelinesContract } from './pipelines.js';
import type { MakePlace } from './place.js';
import { promptsContract } from './prompts.js';
import { removalContract } from './removal.js';
import { reopenContract } from './reopen.js';
import { reviewCommentsContract } from './review-comments.js';
import { rulesContract } from './rules.js';
import { schedulesContract } from './schedules.js';
import { searchContract } from './search.js';
import { terminalsContract } from './terminals.js';
import { threadFiltersContract } from './thread-filters.js';
import { toolOutputsContract } from './tool-outputs.js';
import { unitsContract } from './units.js';
import { workersContract } from './workers.js';

/** What every store must do, whatever database is behind it. */
export function storeContract(makePlace: MakePlace): void {
  eventsContract(makePlace);
  unitsContract(makePlace);
  promptsContract(makePlace);
  claimsContract(makePlace);
  leasesContract(makePlace);
  workersContract(makePlace);
  noticesContract(makePlace);
  listsContract(makePlace);
  pageBytesContract(makePlace);
  reopenContract(makePlace);
  toolOutputsContract(makePlace);
  landingsContract(makePlace);
  threadFiltersContract(makePlace);
  searchContract(makePlace);
  removalContract(makePlace);
  reviewCommentsContract(makePlace);
  terminalsContract(makePlace);
  pipelinesContract(makePlace);
  schedulesContract(makePlace);
  rulesContract(makePlace);
}
