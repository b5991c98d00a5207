import { RefusalError } from '../files/refusal.js';
import { firstLine, type Git, type GitOutput } from './git.js';

const PUSH_TIME_MS = 10 * 60_000;

// Of the user's environment git's transports get everything but what would point git elsewhere or make it talk.
const KEPT_OF_GIT = /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|SSL_[A-Z_]+|PROXY_COMMAND|HTTP_[A-Z_]+)$/;

/** A commit that becomes the tip of a branch elsewhere. */
export interface Push {
  readonly url: string;
  readonly branch: string;
  readonly commit: string;
  /** What the address is called in sentences. */
  readonly shown: string;
}

/**
 * Pushes a commit, never with force. Give it the git of a shadow: then no hook runs, and helpers for credentials, ssh
 * and addresses are those of the user's own config. Gives what the server remarked.
 */
export async function pushCommit(
  git: Git,
  push: Push,
  { env, signal }: { readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<string> {
  const pushed = await git.run(
    [
      'push',
      '--porcelain',
      '--no-verify',
      '--no-follow-tags',
      '--recurse-submodules=no',
      '--',
      push.url,
      `${push.commit}:refs/heads/${push.branch}`,
    ],
    { timeLimitMs: PUSH_TIME_MS, variables: transportVariables(env), signal },
  );
  if (pushed.code !== 0) throw new RefusalError(whyNotPushed(pushed, push));
  return pushed.stderr;
}

/** What git makes of an address by the user's own config (`url.….insteadOf`). Give it the git of a shadow. */
export async function rewrittenAddress(git: Git, url: string): Promise<string> {
  return (await git.read(['ls-remote', '--get-url', '--', url])).replace(/\n$/, '');
}

/** The user's environment as far as git's transports need it. */
export function transportVariables(env: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([name]) => (!name.startsWith('GIT_') && name !== 'PATH' && name !== 'LC_ALL') || KEPT_OF_GIT.test(name),
  );
  return { ...Object.fromEntries(kept), GIT_ALLOW_PROTOCOL: 'https:http:ssh:file' };
}

const REASONS: readonly (readonly [RegExp, (push: Push) => string])[] = [
  [
    /could not read (Username|Password)|Authentication failed|Permission denied \(|Host key verification failed|error: 401/,
    ({ shown }) =>
      `Git could not sign in to ${shown} without asking. Set up an SSH key, or a credential helper in your own git config (for GitHub: gh auth setup-git), then try again.`,
  ],
  [
    /Permission to .* denied|error: 403|not allowed to push|insufficient permission|unable to create temporary object directory|Write access to repository not granted/i,
    ({ shown }) =>
      `You may not push to ${shown}. Push to a repository of your own: git remote add fork ADDRESS, then try again with: --remote fork`,
  ],
  [
    /Could not resolve host|Failed to connect|Connection (refused|timed out)|Network is unreachable|No route to host/i,
    ({ shown }) => `${shown} could not be reached. Try again when it can.`,
  ],
  [
    /[Rr]epository .*not found|does not appear to be a git repository|error: 404|does not exist/,
    ({ shown }) => `There is no repository at ${shown}, or you may not see it. See: git remote -v`,
  ],
];

/** Why a push failed, as a sentence with what to do; git tells it only in words. */
export function whyNotPushed({ stdout, stderr }: Pick<GitOutput, 'stdout' | 'stderr'>, push: Push): string {
  const refused = /^!\t[^\t]*\t\[([^\]]*)\](?: \(([^\n]{0,300})\))?/m.exec(stdout);
  if (refused?.[1] === 'rejected')
    return `${push.branch} at ${push.shown} has commits that the work does not have, and nothing is forced. Merge them in the worktree (git pull ADDRESS ${push.branch}), or delete that branch there, then try again.`;
  const known = REASONS.find(([pattern]) => pattern.test(stderr));
  if (known) return known[1](push);
  if (refused) return `${push.shown} did not take ${push.branch}: ${refused[2] ?? refused[1]}.`;
  return `git push to ${push.shown} failed: ${firstLine(stderr)}`;
}
