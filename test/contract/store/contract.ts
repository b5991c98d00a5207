import { claimsContract } from './claims.js';
import { eventsContract } from './events.js';
import { leasesContract } from './leases.js';
import { listsContract } from './lists.js';
import { noticesContract } from './notices.js';
import type { MakePlace } from './place.js';
import { promptsContract } from './prompts.js';
import { reopenContract } from './reopen.js';
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
  reopenContract(makePlace);
}
