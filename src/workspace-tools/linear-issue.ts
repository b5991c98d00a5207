import { z } from 'zod';
import type { ToolWorkspace } from './workspace.js';

const LINEAR_API_URL = 'https://api.linear.app/graphql';
const TIME_LIMIT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_TEXT = 20_000;

const QUERY = `query Issue($id: String!) {
  issue(id: $id) {
    identifier title description url branchName priorityLabel
    state { name type }
    assignee { name }
    team { key name }
    parent { identifier title }
    labels(first: 50) { nodes { name } }
    comments(first: 20) { nodes { body createdAt user { name } } }
  }
}`;

const Named = z.object({ name: z.string() });
const Issue = z.object({
  identifier: z.string(),
  title: z.string(),
  description: z.string().nullish(),
  url: z.string().nullish(),
  branchName: z.string().nullish(),
  priorityLabel: z.string().nullish(),
  state: z.object({ name: z.string(), type: z.string().nullish() }).nullish(),
  assignee: Named.nullish(),
  team: z.object({ key: z.string(), name: z.string() }).nullish(),
  parent: z.object({ identifier: z.string(), title: z.string() }).nullish(),
  labels: z.object({ nodes: z.array(Named) }).nullish(),
  comments: z
    .object({
      nodes: z.array(z.object({ body: z.string(), createdAt: z.string(), user: Named.nullish() })),
    })
    .nullish(),
});
const Answer = z.object({
  data: z.object({ issue: Issue.nullish() }).nullish(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        extensions: z.object({ code: z.string().optional() }).optional(),
      }),
    )
    .optional(),
});

/** An issue as Linear has it. */
export interface LinearIssue {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly url: string | null;
  readonly suggestedBranch: string | null;
  readonly priority: string | null;
  readonly state: string | null;
  readonly assignee: string | null;
  readonly team: string | null;
  readonly parent: { readonly id: string; readonly title: string } | null;
  readonly labels: readonly string[];
  readonly comments: readonly {
    readonly author: string | null;
    readonly at: string;
    readonly body: string;
  }[];
}

/** Asks Linear for an issue; no network, a refused key or an unknown issue is a problem in words, not a throw. */
export async function fetchLinearIssue(
  workspace: ToolWorkspace,
  { id, apiKey }: { id: string; apiKey: string },
): Promise<LinearIssue | { readonly problem: string }> {
  try {
    const response = await workspace.fetch(workspace.linearApiUrl ?? LINEAR_API_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: authorization(apiKey) },
      body: JSON.stringify({ query: QUERY, variables: { id } }),
      // A redirect would carry the key to another host.
      redirect: 'error',
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    const answer = Answer.safeParse(parse(await boundedText(response)));
    return read(answer.success ? answer.data : undefined, { id, status: response.status });
  } catch (error) {
    return { problem: `Linear could not be reached (${reasonOf(error)}).` };
  }
}

function read(
  answer: z.infer<typeof Answer> | undefined,
  { id, status }: { id: string; status: number },
): LinearIssue | { readonly problem: string } {
  const failure = answer?.errors?.[0];
  if (status === 401 || status === 403 || failure?.extensions?.code === 'AUTHENTICATION_ERROR') {
    return { problem: 'Linear refused the API key; check LINEAR_API_KEY.' };
  }
  if (status === 429 || failure?.extensions?.code === 'RATELIMITED') {
    return { problem: 'Linear limits how often it may be asked; try again later.' };
  }
  if (failure) return { problem: `Linear said: ${failure.message.slice(0, 300)}` };
  if (answer === undefined) return { problem: `Linear gave an answer that cannot be read (HTTP ${status}).` };
  if (!answer.data?.issue) return { problem: `Linear knows no issue ${id}.` };
  return issueOf(answer.data.issue);
}

function issueOf(issue: z.infer<typeof Issue>): LinearIssue {
  return {
    id: issue.identifier,
    title: issue.title,
    description: issue.description ? cut(issue.description) : null,
    url: issue.url ?? null,
    suggestedBranch: issue.branchName ?? null,
    priority: issue.priorityLabel ?? null,
    state: issue.state?.name ?? null,
    assignee: issue.assignee?.name ?? null,
    team: issue.team?.name ?? null,
    parent: issue.parent ? { id: issue.parent.identifier, title: issue.parent.title } : null,
    labels: issue.labels?.nodes.map(({ name }) => name) ?? [],
    comments:
      issue.comments?.nodes.map(({ body, createdAt, user }) => ({
        author: user?.name ?? null,
        at: createdAt,
        body: cut(body),
      })) ?? [],
  };
}

// A personal key goes bare: Linear refuses it with "Bearer", which only OAuth tokens carry.
function authorization(apiKey: string): string {
  return apiKey.startsWith('lin_oauth_') ? `Bearer ${apiKey}` : apiKey;
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function cut(text: string): string {
  return text.length <= MAX_TEXT
    ? text
    : `${text.slice(0, MAX_TEXT)}\n[cut: ${text.length} characters in all]`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  if (error.name === 'TimeoutError') return `no answer within ${TIME_LIMIT_MS / 1000} s`;
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message : error.name;
}
