import * as z from 'zod';

/** What somebody may do: look, give work, answer questions, approve what agents want to do, run the worker. */
export const Scope = z.enum(['read', 'dispatch', 'answer', 'approve', 'admin']);
export type Scope = z.infer<typeof Scope>;

/** A label of work, as `team=web`; work is given with labels and keeps them. */
export const WorkLabel = z.string().regex(/^[^=]{1,100}=[\s\S]{1,1000}$/, 'must be NAME=VALUE');

/** Everything that a list of scopes allows: whoever may do anything may read, and an admin may do everything. */
export function everyScope(given: readonly Scope[]): readonly Scope[] {
  if (given.includes('admin')) return Scope.options;
  return Scope.options.filter((scope) => scope === 'read' || given.includes(scope));
}
