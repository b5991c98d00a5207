import { z } from 'zod';
import { RefusalError } from '../process/files/refusal.js';
import { given } from '../protocol/given.js';
import { Journal } from './journal.js';
import type { ToolWorkspace } from './workspace.js';

/** An issue's identifier as Linear writes it, such as LIN-123. */
export const IssueId = z
  .string()
  .toUpperCase()
  .regex(/^[A-Za-z][A-Za-z0-9]{0,15}-[0-9]{1,9}$/, 'an issue id looks like LIN-123');

const LinearFact = z.discriminatedUnion('fact', [
  z.object({
    fact: z.literal('issue_started'),
    issue: z.string(),
    branch: z.string(),
    title: z.string().optional(),
    conversationId: z.string(),
    at: z.string(),
  }),
  z.object({
    fact: z.literal('status_set'),
    issue: z.string(),
    status: z.string(),
    conversationId: z.string(),
    at: z.string(),
  }),
]);
type LinearFact = z.infer<typeof LinearFact>;

/** What this workspace knows of an issue without asking Linear. */
export interface LocalIssue {
  readonly id: string;
  readonly title?: string;
  readonly branch?: string;
  readonly status?: string;
}

/** The workspace's own record of what was done about Linear issues. */
export function linearJournal(workspace: ToolWorkspace): Journal<LinearFact> {
  return new Journal(workspace, { file: 'linear.jsonl', schema: LinearFact });
}

/** The named issue, else the current one: started in this conversation, given at launch, or last started here. */
export async function localIssue(workspace: ToolWorkspace, id?: string): Promise<LocalIssue | undefined> {
  const { facts } = await linearJournal(workspace).read();
  const started = facts.filter((fact) => fact.fact === 'issue_started').toReversed();
  const current =
    id ??
    started.find((fact) => fact.conversationId === workspace.conversationId)?.issue ??
    workspace.linearIssue?.toUpperCase() ??
    started[0]?.issue;
  if (current === undefined) return undefined;
  return facts.filter((fact) => fact.issue === current).reduce(apply, { id: current });
}

/** The named or current issue, for tools that can do nothing without one. */
export async function requireIssue(workspace: ToolWorkspace, id?: string): Promise<LocalIssue> {
  const issue = await localIssue(workspace, id);
  if (issue === undefined)
    throw new RefusalError('No Linear issue belongs to this workspace yet; pass issueId.');
  return issue;
}

function apply(issue: LocalIssue, fact: LinearFact): LocalIssue {
  switch (fact.fact) {
    case 'issue_started':
      return { ...issue, branch: fact.branch, ...given({ title: fact.title }) };
    case 'status_set':
      return { ...issue, status: fact.status };
    default:
      return fact satisfies never;
  }
}
