import * as z from 'zod';

const call = { toolUseId: z.string() };

/**
 * The tool call of a run that an answer belongs to, across the lives of its session:
 *
 * none ─ parked ─▶ parked ─ next run ─▶ taking_up   the call asks again by itself
 *                                   └─▶ declining   it asks again, and its question was withdrawn meanwhile
 */
export const WaitingCall = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  /** The process was let go while this call waits for its answer. */
  z.object({ state: z.literal('parked'), ...call, how: z.enum(['deferred', 'interrupted']) }),
  /** The call of an earlier run that this one takes up again. */
  z.object({ state: z.literal('taking_up'), ...call, hasAsked: z.boolean() }),
  /** The call of an earlier run that asks again, although nobody wants it answered any more. */
  z.object({ state: z.literal('declining'), ...call, requestId: z.string().optional() }),
]);
export type WaitingCall = z.infer<typeof WaitingCall>;

export const noCall: WaitingCall = { state: 'none' };

/** The call that asks again in the next run of the session: it was let go, and has not asked since. */
export function callToTakeUp(waiting: WaitingCall): string | undefined {
  switch (waiting.state) {
    case 'parked':
      return waiting.how === 'deferred' ? waiting.toolUseId : undefined;
    case 'taking_up':
      return waiting.hasAsked ? undefined : waiting.toolUseId;
    case 'declining':
      return waiting.requestId === undefined ? waiting.toolUseId : undefined;
    case 'none':
      return undefined;
    default:
      return waiting satisfies never;
  }
}

/** The waiting call once a call has asked; only one that comes back from an earlier run cares. */
export function afterAsking(
  waiting: WaitingCall,
  { toolUseId, requestId }: { readonly toolUseId?: string | undefined; readonly requestId: string },
): WaitingCall {
  switch (waiting.state) {
    case 'taking_up':
      return waiting.toolUseId === toolUseId ? { ...waiting, hasAsked: true } : waiting;
    case 'declining':
      return waiting.toolUseId === toolUseId ? { ...waiting, requestId } : waiting;
    case 'none':
    case 'parked':
      return waiting;
    default:
      return waiting satisfies never;
  }
}
