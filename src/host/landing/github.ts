import * as z from 'zod';
import { plainLine } from '../../domain/words/plain-text.js';
import {
  type Forge,
  type ForgeCall,
  jsonOf,
  printedAddress,
  type RequestOpening,
  type RequestToOpen,
} from './forge.js';

const Requests = z.array(
  z.object({
    url: z.url(),
    baseRefName: z.string(),
    headRepositoryOwner: z.object({ login: z.string() }).nullish(),
  }),
);
const Place = z.object({
  isFork: z.boolean(),
  parent: z.object({ name: z.string(), owner: z.object({ login: z.string() }) }).nullish(),
});

/** GitHub through `gh`. A branch of a fork is offered to the repository that it was forked from. */
export const github: Forge = {
  program: 'gh',
  signIn: (host) => `gh auth login --hostname ${host}`,
  async open(request, call) {
    const { at, branch, base, title, body, isDraft } = request;
    const status = await call(['auth', 'status', '--hostname', at.host]);
    if (status.kind === 'missing') return status;
    if (!status.ok) return { kind: 'signed out' };
    const [owner = ''] = at.path.split('/');
    const parent = await parentOf(request, call);
    const repository = `${at.host}/${parent ?? at.path}`;
    const find = async () => await found({ repository, owner, request, call });
    const before = await find();
    if (before !== undefined) return { kind: 'open', url: before, isNew: false };
    const head = parent === undefined ? branch : `${owner}:${branch}`;
    const made = await call(
      [
        'pr',
        'create',
        '--repo',
        repository,
        '--head',
        head,
        '--base',
        base,
        '--title',
        title,
        '--body-file',
        '-',
        ...(isDraft ? ['--draft'] : []),
      ],
      body,
    );
    if (made.kind === 'missing') return made;
    const url = made.ok ? printedAddress(made.stdout) : await find();
    if (url !== undefined) return { kind: 'open', url, isNew: made.ok };
    return refusal(made.stderr);
  },
};

function refusal(stderr: string): RequestOpening {
  return { kind: 'refused', why: plainLine(stderr, { maxLength: 300 }) || 'it said nothing' };
}

async function parentOf({ at }: RequestToOpen, call: ForgeCall): Promise<string | undefined> {
  const seen = await call(['repo', 'view', `${at.host}/${at.path}`, '--json', 'isFork,parent']);
  if (seen.kind === 'missing' || !seen.ok) return undefined;
  const place = Place.safeParse(jsonOf(seen.stdout));
  const parent = place.success && place.data.isFork ? place.data.parent : undefined;
  return parent ? `${parent.owner.login}/${parent.name}` : undefined;
}

/** The pull request that is open for a branch already. */
async function found(search: {
  readonly repository: string;
  readonly owner: string;
  readonly request: RequestToOpen;
  readonly call: ForgeCall;
}): Promise<string | undefined> {
  const { repository, owner, request, call } = search;
  const fields = 'url,baseRefName,headRepositoryOwner';
  const listed = await call([
    'pr',
    'list',
    '--repo',
    repository,
    '--head',
    request.branch,
    '--state',
    'open',
    '--json',
    fields,
  ]);
  if (listed.kind === 'missing' || !listed.ok) return undefined;
  const requests = Requests.safeParse(jsonOf(listed.stdout));
  if (!requests.success) return undefined;
  const own = requests.data.filter(
    ({ headRepositoryOwner: of }) => !of || of.login.toLowerCase() === owner.toLowerCase(),
  );
  return (own.find(({ baseRefName }) => baseRefName === request.base) ?? own[0])?.url;
}
