import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type RemoteAddress, remoteAddress, shownAddress } from '../../domain/landing/remote-address.js';
import { forgeKind, offeredPage, requestPage } from '../../domain/landing/request-page.js';
import { RefusalError } from '../../process/files/refusal.js';
import { Git } from '../../process/git/git.js';
import { pushCommit, rewrittenAddress, transportVariables } from '../../process/git/push.js';
import { ShadowRepository } from '../../process/git/shadow-repository.js';
import { given } from '../../protocol/given.js';
import type { Landing } from '../../protocol/landing.js';
import type { PushPlan } from '../../store/stored-landing.js';
import type { Failpoint } from '../runs/failpoint.js';
import { inEmptyFolder } from './empty-folder.js';
import { type Forge, forgeCall } from './forge.js';
import { github } from './github.js';
import { gitlab } from './gitlab.js';
import type { LandingMeans } from './work-to-land.js';

const forgeTimeMs = 3 * 60_000;
const lsTimeMs = 60_000;

export interface PublishMeans extends LandingMeans {
  /** This worker leaves; the next one goes on. */
  readonly signal: AbortSignal;
  readonly failpoint: (name: Failpoint) => void;
}

type Published = Pick<Landing, 'state' | 'sentence' | 'pullRequest' | 'createUrl'>;

/**
 * Pushes a branch and sees to it that a pull request is open for it. Both look first at what is there, so it can be
 * done again after it was cut off anywhere.
 */
export async function publish(push: PushPlan, means: PublishMeans): Promise<Published> {
  const { remarks, address } = await pushed(push, means);
  means.failpoint('landing_pushed');
  if (push.isPushOnly)
    return { state: 'done', sentence: `Pushed ${push.branch} to ${shownAddress(push.url)}.` };
  const published = await requested(push, { address, remarks, means });
  means.failpoint('landing_requested');
  return published;
}

async function pushed(
  push: PushPlan,
  { scratch, env, signal }: PublishMeans,
): Promise<{ readonly remarks: string; readonly address: RemoteAddress }> {
  const { places, url, branch, commit, remote } = push;
  const shown = shownAddress(url);
  if (!existsSync(places.top))
    throw new RefusalError(
      `The worktree ${places.top} does not exist any more. What was committed is on its branch: git push ${remote} ${branch}`,
    );
  await using shadow = await ShadowRepository.open({
    places,
    scratch,
    env,
    objects: 'shared',
    filters: 'none',
    variables: shallowFile(places.commonDir),
  });
  if (push.hasLfs && !(await isThere(shadow.bare, { push, env })))
    throw new RefusalError(
      `The work has files that git-lfs uploads by a hook, and Handraise runs no hooks. Push it yourself in ${places.top}: git push ${remote} ${branch}. Then run this again.`,
    );
  const remarks = push.hasLfs
    ? ''
    : await pushCommit(shadow.bare, { url, branch, commit, shown }, { env, signal });
  // As git notes it when it pushes to a remote by its name.
  const repository = await Git.open({ cwd: places.commonDir, gitDir: places.commonDir, env });
  await repository.run(['update-ref', `refs/remotes/${remote}/${branch}`, commit]);
  return { remarks, address: remoteAddress(await rewrittenAddress(shadow.bare, url)) };
}

/** The history of a shallow clone ends where this file says; without it git would look for what is not there. */
function shallowFile(commonDir: string): Record<string, string> {
  const file = join(commonDir, 'shallow');
  return existsSync(file) ? { GIT_SHALLOW_FILE: file } : {};
}

async function isThere(
  git: Git,
  { push, env }: { readonly push: PushPlan; readonly env: LandingMeans['env'] },
): Promise<boolean> {
  const listed = await git.run(['ls-remote', '--', push.url, `refs/heads/${push.branch}`], {
    timeLimitMs: lsTimeMs,
    variables: transportVariables(env),
  });
  return listed.code === 0 && listed.stdout.startsWith(push.commit);
}

async function requested(
  push: PushPlan,
  {
    address: at,
    remarks,
    means,
  }: { readonly address: RemoteAddress; readonly remarks: string; readonly means: PublishMeans },
): Promise<Published> {
  const { url, branch, base, title, body, isDraft } = push;
  const done = `Pushed ${branch} to ${shownAddress(url)}.`;
  if (at.kind !== 'host') return { state: 'done', sentence: `${done} Nobody takes pull requests there.` };
  const createUrl = pageFor(at, { push, remarks });
  const yourself =
    createUrl === undefined ? 'Open a pull request there.' : `Open a pull request: ${createUrl}`;
  const tried: string[] = [];
  for (const forge of forgesOf(at.host)) {
    const request = { at, branch, base, title, body, isDraft };
    const opening = await inEmptyFolder(means, async (folder) => {
      const signal = AbortSignal.any([means.signal, AbortSignal.timeout(forgeTimeMs)]);
      return await forge.open(request, forgeCall(forge.program, { folder, env: means.env, signal }));
    });
    means.signal.throwIfAborted();
    switch (opening.kind) {
      case 'open': {
        const words = opening.isNew ? 'Pull request opened' : 'Pushed to the open pull request';
        return { state: 'done', pullRequest: opening.url, sentence: `${words}: ${opening.url}` };
      }
      case 'refused': {
        const sentence = `${done} ${forge.program} opened no pull request: ${opening.why.replace(/\.$/, '')}. ${yourself}`;
        return { state: 'failed', sentence, ...given({ createUrl }) };
      }
      case 'missing':
        tried.push(`${forge.program} is not installed.`);
        break;
      case 'signed out':
        tried.push(`${forge.program} is not signed in to ${at.host} (${forge.signIn(at.host)}).`);
        break;
      default:
        opening satisfies never;
    }
  }
  // Which of the two a host that nobody knows would need, nobody can say.
  const why = tried.length === 1 ? ` ${tried.join('')}` : '';
  return { state: 'done', sentence: `${done}${why} ${yourself}`, ...given({ createUrl }) };
}

function pageFor(
  { host, path }: Extract<RemoteAddress, { kind: 'host' }>,
  { push, remarks }: { readonly push: PushPlan; readonly remarks: string },
): string | undefined {
  const { branch, base } = push;
  return requestPage(forgeKind(host), { host, path, branch, base }) ?? offeredPage(remarks, host);
}

function forgesOf(host: string): readonly Forge[] {
  const kind = forgeKind(host);
  switch (kind) {
    case 'github':
      return [github];
    case 'gitlab':
      return [gitlab];
    case 'unknown':
      return [github, gitlab];
    default:
      return kind satisfies never;
  }
}
