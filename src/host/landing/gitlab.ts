import * as z from 'zod';
import { plainLine } from '../../domain/words/plain-text.js';
import { type Forge, type ForgeCall, jsonOf, printedAddress, type RequestToOpen } from './forge.js';

const Requests = z.array(z.object({ web_url: z.url(), target_branch: z.string() }));

/** GitLab through `glab`. */
export const gitlab: Forge = {
  program: 'glab',
  signIn: (host) => `glab auth login --hostname ${host}`,
  async open(request, call) {
    const { at, branch, base, title, body, isDraft } = request;
    const status = await call(['auth', 'status', '--hostname', at.host]);
    if (status.kind === 'missing') return status;
    if (!status.ok) return { kind: 'signed out' };
    const before = await found(request, call);
    if (before !== undefined) return { kind: 'open', url: before, isNew: false };
    const made = await call([
      'mr',
      'create',
      '--repo',
      repositoryOf(request),
      '--source-branch',
      branch,
      '--target-branch',
      base,
      '--title',
      title,
      '--description',
      body,
      '--yes',
      ...(isDraft ? ['--draft'] : []),
    ]);
    if (made.kind === 'missing') return made;
    const url = made.ok ? printedAddress(made.stdout + made.stderr) : await found(request, call);
    if (url !== undefined) return { kind: 'open', url, isNew: made.ok };
    return { kind: 'refused', why: plainLine(made.stderr, { maxLength: 300 }) || 'it said nothing' };
  },
};

function repositoryOf({ at }: RequestToOpen): string {
  return `https://${at.host}/${at.path}`;
}

async function found(request: RequestToOpen, call: ForgeCall): Promise<string | undefined> {
  const listed = await call([
    'mr',
    'list',
    '--repo',
    repositoryOf(request),
    '--source-branch',
    request.branch,
    '--output',
    'json',
  ]);
  if (listed.kind === 'missing' || !listed.ok) return undefined;
  const requests = Requests.safeParse(jsonOf(listed.stdout));
  if (!requests.success) return undefined;
  const same = requests.data.find(({ target_branch: base }) => base === request.base);
  return (same ?? requests.data[0])?.web_url;
}
