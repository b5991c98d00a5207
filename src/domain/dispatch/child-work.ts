import type { DispatchRequest } from '../../protocol/dispatch.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { Posture, RuntimeName } from '../../protocol/posture.js';
import type { Permissions } from './permissions.js';

/** How far work may be from the work that a person gave: its child, the child of that, and one more. */
export const deepestWork = 3;

/** The work whose agent asks for more work. */
export interface ParentWork {
  readonly runtime: RuntimeName;
  readonly permissions: Permissions;
  /** As it is sealed, with its recorded changes. */
  readonly posture: Posture;
  readonly request: Pick<DispatchRequest, 'budget' | 'noInput' | 'unanswered'>;
  /** 0 for work of a person. */
  readonly depth: number;
}

/** What belongs to one task alone, and to nothing that it asks for. */
const ownOfParent = ['structuredOutput', 'linearIssue'] as const satisfies readonly (keyof Posture)[];

/** The work that an agent asks for, with everything that comes from its own work; it chooses nothing of that. */
export function childWork(request: DispatchRequest, parent: ParentWork): DispatchRequest {
  const chosen = (['runtime', 'posture'] as const).find((name) => request[name] !== undefined);
  if (chosen !== undefined)
    throw new Failure(
      'forbidden',
      `Work of an agent has the ${chosen} of the work that asks for it. Leave ${chosen} out.`,
    );
  const { budget, noInput, unanswered } = parent.request;
  const limits = given({ budget, noInput, unanswered });
  // A thread keeps what it was made with.
  if (request.thread !== undefined) return { ...request, ...limits };
  if (parent.depth >= deepestWork)
    throw new Failure(
      'forbidden',
      `This work was asked for by an agent that was asked by an agent, ${deepestWork} times over; it cannot ask for more. Do it yourself, or leave it to whoever asked you.`,
    );
  const posture = Object.fromEntries(
    Object.entries(parent.posture).filter(([name]) => !ownOfParent.some((own) => own === name)),
  );
  return {
    ...request,
    ...limits,
    runtime: parent.runtime,
    permissions: parent.permissions,
    posture,
  };
}
