import * as z from 'zod';
import { plainLine } from '../../domain/words/plain-text.js';
import { type Forge, type ForgeAnswer, type ForgeCall, jsonOf, type RequestToOpen } from './forge.js';

const Request = z.object({ web_url: z.url() });
const Requests = z.array(
  z.object({ web_url: z.url(), target_branch: z.string(), source_project_id: z.int().optional() }),
);
const Project = z.object({
  id: z.int(),
  forked_from_project: z.object({ id: z.int() }).nullish(),
});

/**
 * GitLab through `glab`, as one that speaks GitLab's API: its `mr create` works only inside of a repository, and nothing of the
 * agent's is read. A branch of a fork is offered to the project that it was forked from.
 */
export const gitlab: Forge = {
  program: 'glab',
  signIn: (host) => `glab auth login --hostname ${host}`,
  async open(request, call) {
    const { at, branch, base, title, body, isDraft } = request;
    const status = await call(['auth', 'status', '--hostname', at.host]);
    if (status.kind === 'missing') return status;
    if (!status.ok) return { kind: 'signed out' };
    const seen = await call(['api', '--hostname', at.host, '--method', 'GET', pathOf(request)]);
    if (seen.kind === 'missing') return seen;
    const project = Project.safeParse(jsonOf(seen.stdout));
    if (!seen.ok || !project.success) return { kind: 'refused', why: whyOf(seen) };
    const find = async () => await found(request, project.data, call);
    const before = await find();
    if (before !== undefined) return { kind: 'open', url: before, isNew: false };
    const made = await call(
      [
        'api',
        '--hostname',
        at.host,
        '--method',
        'POST',
        '--header',
        'Content-Type: application/json',
        '--input',
        '-',
        `${pathOf(request)}/merge_requests`,
      ],
      JSON.stringify({
        source_branch: branch,
        target_branch: base,
        target_project_id: targetOf(project.data),
        title: isDraft ? `Draft: ${title}` : title,
        description: body,
      }),
    );
    if (made.kind === 'missing') return made;
    const opened = made.ok ? Request.safeParse(jsonOf(made.stdout)).data?.web_url : undefined;
    const url = opened ?? (await find());
    return url === undefined
      ? { kind: 'refused', why: whyOf(made) }
      : { kind: 'open', url, isNew: opened !== undefined };
  },
};

function pathOf({ at }: RequestToOpen): string {
  return `projects/${encodeURIComponent(at.path)}`;
}

function targetOf({ id, forked_from_project: parent }: z.infer<typeof Project>): number {
  return parent?.id ?? id;
}

/** The merge request that is open for a branch already. */
async function found(
  { at, branch, base }: RequestToOpen,
  project: z.infer<typeof Project>,
  call: ForgeCall,
): Promise<string | undefined> {
  const query = new URLSearchParams({ state: 'opened', source_branch: branch, per_page: '100' });
  const path = `projects/${targetOf(project)}/merge_requests?${query.toString()}`;
  const listed = await call(['api', '--hostname', at.host, '--method', 'GET', path]);
  if (listed.kind === 'missing' || !listed.ok) return undefined;
  const requests = Requests.safeParse(jsonOf(listed.stdout)).data ?? [];
  const own = requests.filter(({ source_project_id: from }) => from === undefined || from === project.id);
  return (own.find(({ target_branch: into }) => into === base) ?? own[0])?.web_url;
}

/** Where GitLab gives its reasons as a list, glab 1.53 stumbles over it and tells only that. */
function whyOf(answer: Extract<ForgeAnswer, { kind: 'ended' }>): string {
  const words = plainLine(answer.stderr, { maxLength: 300 });
  return words === '' || words.startsWith('json: ') ? 'GitLab refused it, and glab does not say why' : words;
}
