import * as z from 'zod';
import { plainLine, plainText } from '../words/plain-text.js';

const longestName = 200;
const longestBody = 4000;

/** Whose words an agent is given: those who may write to the repository. Anybody may comment on a public one. */
const trusted = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
const failures = new Set(['FAILURE', 'ERROR', 'TIMED_OUT', 'STARTUP_FAILURE']);
const pendings = new Set(['PENDING', 'EXPECTED']);

const text = z.string().catch('');
const person = z.object({ login: text }).nullish().catch(undefined);
const Check = z.object({
  name: text,
  context: text,
  status: text,
  conclusion: text,
  state: text,
  detailsUrl: text,
  targetUrl: text,
});
const Remark = z.object({ id: text, author: person, authorAssociation: text, body: text, state: text });
const Line = z.object({
  id: z.number(),
  user: person,
  author_association: text,
  body: text,
  path: text,
  line: z.int().nullish().catch(undefined),
});
const View = z.object({
  state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
  headRefOid: text,
  statusCheckRollup: z.array(Check).catch([]),
  reviews: z.array(Remark).catch([]),
  comments: z.array(Remark).catch([]),
});
const Lines = z.array(Line);

/** One thing about a pull request that its agent may have to hear, once; the key tells it from all others. */
export type RequestNews =
  | { readonly kind: 'check'; readonly key: string; readonly name: string; readonly url: string }
  | {
      readonly kind: 'remark';
      readonly key: string;
      readonly author: string;
      readonly place: string;
      readonly body: string;
    };

/** A pull request as it was seen; what others wrote is short and plain by here. */
export interface SeenRequest {
  readonly state: 'OPEN' | 'CLOSED' | 'MERGED';
  readonly isPending: boolean;
  readonly news: readonly RequestNews[];
}

/** Reads what `gh pr view --json` and the list of comments on lines say; undefined where that cannot be read. */
export function seenRequest(view: unknown, lines: unknown): SeenRequest | undefined {
  const seen = View.safeParse(view);
  const onLines = Lines.safeParse(lines);
  if (!seen.success || !onLines.success) return undefined;
  const { state, headRefOid, statusCheckRollup: checks, reviews, comments } = seen.data;
  const remarks = [
    ...[...reviews, ...comments].map(({ id, author, authorAssociation, body, state: said }) => ({
      key: `remark ${id}`,
      author,
      association: said === 'PENDING' || said === 'DISMISSED' ? '' : authorAssociation,
      body,
      place: '',
    })),
    ...onLines.data.map(({ id, user, author_association: association, body, path, line }) => ({
      key: `line ${id}`,
      author: user,
      association,
      body,
      place: plainLine(`${path}${line ? `:${line}` : ''}`, { maxLength: longestName }),
    })),
  ];
  return {
    state,
    isPending: checks.some((check) => resultOf(check) === 'pending'),
    news: [
      ...checks
        .filter((check) => resultOf(check) === 'failed')
        .map(({ name, context, detailsUrl, targetUrl }) => {
          const shown = plainLine(name || context, { maxLength: longestName });
          // The same check of a later commit is another fact.
          const key = `check ${plainLine(headRefOid, { maxLength: 64 })} ${shown}`;
          return { kind: 'check', key, name: shown, url: addressIn(detailsUrl || targetUrl) } as const;
        }),
      ...remarks
        .filter(({ association, body }) => trusted.has(association) && body.trim() !== '')
        .map(({ key, author, place, body }) => ({
          kind: 'remark' as const,
          key: plainLine(key, { maxLength: longestName }),
          author: plainLine(author?.login ?? 'somebody', { maxLength: 100 }),
          place,
          body: plainText(body, { maxLength: longestBody }),
        })),
    ],
  };
}

function resultOf({ status, conclusion, state }: z.infer<typeof Check>): 'pending' | 'passed' | 'failed' {
  if (failures.has(conclusion) || failures.has(state)) return 'failed';
  const isOver = status === '' ? !pendings.has(state) : status === 'COMPLETED';
  return isOver ? 'passed' : 'pending';
}

function addressIn(url: string): string {
  return /^https:\/\/[^\s"'<>]{1,500}/.exec(url)?.[0] ?? '';
}
