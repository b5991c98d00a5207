/** How git may fetch a repository. */
export type RepositoryProtocol = 'https' | 'ssh' | 'http' | 'git' | 'file';

/** The address of a repository as git is given it, or why it is not used. */
export type RepositoryAddress =
  | { readonly url: string; readonly protocol: RepositoryProtocol }
  | { readonly refused: string };

const longest = 2000;
// Whatever an address needs; what is left out could be an option, a program or a trick of the terminal.
const plainAddress = /^[A-Za-z0-9._~:/@%+,=[\]-]+$/;
const hostName = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])$/;
const userName = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

const ofUrls: Readonly<Record<string, RepositoryProtocol>> = {
  'https:': 'https',
  'http:': 'http',
  'ssh:': 'ssh',
  'git+ssh:': 'ssh',
  'ssh+git:': 'ssh',
  'git:': 'git',
  'file:': 'file',
};

/**
 * Reads the address of a repository that work is given with. Whatever git would take for an option or a program is refused, and
 * so is a password: it would be kept with the work and shown to everybody who sees it.
 */
export function repositoryAddress(text: string, allowed: readonly RepositoryProtocol[]): RepositoryAddress {
  const address = text.length > longest ? { refused: 'It is too long for an address.' } : readAddress(text);
  if ('refused' in address || allowed.includes(address.protocol)) return address;
  return {
    refused: `Repositories are not fetched by ${address.protocol}. Whoever runs the worker can allow that with the setting repositoryProtocols.`,
  };
}

function readAddress(text: string): RepositoryAddress {
  if (/^[a-z][a-z0-9+.-]*::/i.test(text)) return { refused: 'It names a program of git, and not a place.' };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return ofUrl(text);
  if (text.startsWith('-') || !plainAddress.test(text)) return { refused: noAddress };
  // As git tells `host:path` from a path: no slash before the first colon.
  const short = /^(?:([^@/:]+)@)?([^/:@]+):(.+)$/.exec(text);
  if (short) return ofSsh(text, { user: short[1], host: short[2] ?? '', path: short[3] ?? '' });
  return {
    refused:
      'It is a folder. Give the folder as the workspace (-C), or its address as file:///… where the setting repositoryProtocols has file.',
  };
}

const noAddress =
  'It is no address that git could fetch from, such as https://git.example/shop.git or git@git.example:shop.git.';

function ofUrl(text: string): RepositoryAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const protocol = url && ofUrls[url.protocol];
  if (!url || !protocol) return { refused: noAddress };
  if (url.password !== '' || (url.username !== '' && protocol !== 'ssh'))
    return {
      refused:
        'It has a name or a password in it, which would be kept with the work. Leave that out, and let the git of the worker sign in: with a credential helper, or an SSH key.',
    };
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text))
    return { refused: 'It has a ? or # in it. Leave out what follows.' };
  if (!plainAddress.test(text)) return { refused: noAddress };
  const path = url.pathname;
  if (protocol === 'file')
    return url.host === '' && path.length > 1 ? { url: text, protocol } : { refused: noAddress };
  if (protocol === 'ssh') return ofSsh(text, { user: url.username || undefined, host: url.hostname, path });
  return hostName.test(url.hostname) && /[^/]/.test(path) ? { url: text, protocol } : { refused: noAddress };
}

function ofSsh(
  url: string,
  { user, host, path }: { readonly user: string | undefined; readonly host: string; readonly path: string },
): RepositoryAddress {
  // Git and ssh take what begins with a hyphen for an option.
  const isFine =
    (user === undefined || userName.test(user)) &&
    hostName.test(host) &&
    /[^/]/.test(path) &&
    !/^\/?-/.test(path);
  return isFine ? { url, protocol: 'ssh' } : { refused: noAddress };
}

/** What people call a repository: the last part of its address. */
export function repositoryName(address: string): string {
  const name = address
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .at(-1);
  return name === undefined || name === '' ? address : name;
}
