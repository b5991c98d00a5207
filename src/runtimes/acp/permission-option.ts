import type { WireOption } from './wire.js';

/** What an agent is told about its request. */
export type PermissionOutcome =
  | { readonly outcome: 'selected'; readonly optionId: string }
  | { readonly outcome: 'cancelled' };

export const cancelled: PermissionOutcome = { outcome: 'cancelled' };

/**
 * The option that allows exactly this one call; null where there is none. What an agent calls "always" covers more than
 * was shown, for a session or for ever, so it is never chosen: approvals for a thread are kept here.
 */
export function allowingOnce(options: readonly WireOption[]): PermissionOutcome | null {
  const [only, ...others] = options.filter(({ kind }) => kind === 'allow_once');
  return only && others.length === 0 ? selected(only) : null;
}

/** The option that refuses this one call, else the one that refuses such calls; an agent without either is told nothing. */
export function refusing(options: readonly WireOption[]): PermissionOutcome {
  const once = options.find(({ kind }) => kind === 'reject_once');
  const always = options.find(({ kind }) => kind === 'reject_always');
  const option = once ?? always;
  return option ? selected(option) : cancelled;
}

function selected({ optionId }: WireOption): PermissionOutcome {
  return { outcome: 'selected', optionId };
}
