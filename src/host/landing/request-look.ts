import { type SeenRequest, seenRequest } from '../../domain/landing/seen-request.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { type ForgeCall, jsonOf } from './forge.js';

const fields = 'state,headRefOid,statusCheckRollup,reviews,comments';

/** What came of a look at a pull request. */
export type RequestLook =
  | { readonly kind: 'seen'; readonly request: SeenRequest }
  | { readonly kind: 'failed'; readonly why: string };

/** Where a pull request of GitHub's is; undefined for an address of another kind. */
export function requestPlace(
  url: string,
): { readonly host: string; readonly repository: string; readonly number: string } | undefined {
  const [, host = '', repository = '', number = ''] =
    /^https:\/\/([\w.-]+(?::\d+)?)\/([\w.-]+\/[\w.-]+)\/pull\/(\d+)$/.exec(url) ?? [];
  return number === '' ? undefined : { host, repository, number };
}

/** Looks at a pull request through `gh`: its checks, its reviews, and what was said about lines of it. */
export async function lookAt(url: string, call: ForgeCall): Promise<RequestLook> {
  const place = requestPlace(url);
  if (!place) return { kind: 'failed', why: `${url} is not a pull request on GitHub` };
  const { host, repository, number } = place;
  const view = await answerOf(call, ['pr', 'view', url, '--json', fields]);
  if ('why' in view) return { kind: 'failed', ...view };
  const path = `repos/${repository}/pulls/${number}/comments?per_page=100&sort=created&direction=desc`;
  const lines = await answerOf(call, ['api', '--method', 'GET', '--hostname', host, path]);
  if ('why' in lines) return { kind: 'failed', ...lines };
  const request = seenRequest(view.json, lines.json);
  return request
    ? { kind: 'seen', request }
    : { kind: 'failed', why: 'gh said something that cannot be read' };
}

async function answerOf(
  call: ForgeCall,
  args: readonly string[],
): Promise<{ readonly json: unknown } | { readonly why: string }> {
  const answer = await call(args);
  if (answer.kind === 'missing') return { why: 'gh is not installed' };
  if (!answer.ok)
    return { why: `gh refused: ${plainLine(answer.stderr, { maxLength: 300 }) || 'it said nothing'}` };
  return { json: jsonOf(answer.stdout) };
}
