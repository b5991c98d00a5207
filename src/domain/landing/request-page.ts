/** The service behind a host, as far as its name tells. */
export type ForgeKind = 'github' | 'gitlab' | 'unknown';

export function forgeKind(host: string): ForgeKind {
  if (host === 'github.com' || host.endsWith('.ghe.com') || host.startsWith('github.')) return 'github';
  if (host === 'gitlab.com' || host.startsWith('gitlab.')) return 'gitlab';
  return 'unknown';
}

/** The page on which a person opens a pull request for a branch; undefined where nobody knows it. */
export function requestPage(
  kind: ForgeKind,
  at: { readonly host: string; readonly path: string; readonly branch: string; readonly base: string },
): string | undefined {
  const { host, path, branch, base } = at;
  const repository = `https://${host}/${path.split('/').map(encodeURIComponent).join('/')}`;
  switch (kind) {
    case 'github':
      return `${repository}/compare/${ref(base)}...${ref(branch)}?expand=1`;
    case 'gitlab': {
      const query = new URLSearchParams({
        'merge_request[source_branch]': branch,
        'merge_request[target_branch]': base,
      });
      return `${repository}/-/merge_requests/new?${query.toString()}`;
    }
    case 'unknown':
      return undefined;
    default:
      return kind satisfies never;
  }
}

/** The page that a server itself offered for a pull request when a branch was pushed to it. */
export function offeredPage(remarks: string, host: string): string | undefined {
  for (const [, link = ''] of remarks.slice(0, 20_000).matchAll(/^remote:\s+(https:\/\/\S{1,1000})\s*$/gm)) {
    if (URL.canParse(link) && new URL(link).host.toLowerCase() === host) return link;
  }
  return undefined;
}

function ref(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}
