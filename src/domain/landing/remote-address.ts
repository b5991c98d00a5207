/** Where git's remote is: on a host, in a folder of this machine, or nowhere that we push to. */
export type RemoteAddress =
  | { readonly kind: 'host'; readonly host: string; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'unusable'; readonly why: string };

const ofHosts = new Set(['https:', 'http:', 'ssh:', 'git+ssh:', 'ssh+git:']);

/** Reads the address of a remote. One that names a program (`ext::sh -c …`) is not usable. */
export function remoteAddress(address: string): RemoteAddress {
  if (address === '' || address.length > 2000) return { kind: 'unusable', why: 'it is empty or too long' };
  if (/[\p{Cc}\p{Cf}]/u.test(address) || address.startsWith('-'))
    return { kind: 'unusable', why: 'it is not an address' };
  if (/^[a-z][a-z0-9+.-]*::/i.test(address)) return { kind: 'unusable', why: 'it names a program' };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return ofUrl(address);
  // As git tells `host:path` from a path: no slash before the first colon.
  const short = /^(?:[^@/:]+@)?([^/:@]+):(.+)$/.exec(address);
  if (short) return { kind: 'host', host: hostName(short[1] ?? ''), path: repositoryPath(short[2] ?? '') };
  return { kind: 'folder', path: address };
}

/** An address as it may be shown: without the password or token that somebody may have put into it. */
export function shownAddress(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1').replace(/[\p{Cc}\p{Cf}]/gu, '');
}

function ofUrl(address: string): RemoteAddress {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return { kind: 'unusable', why: 'it is not an address' };
  }
  if (url.protocol === 'file:') return { kind: 'folder', path: decodeURI(url.pathname) };
  if (!ofHosts.has(url.protocol))
    return { kind: 'unusable', why: `${url.protocol.slice(0, -1)} is not pushed to` };
  return { kind: 'host', host: hostName(url.host), path: repositoryPath(url.pathname) };
}

// Port 22 or 443 of a host's SSH is the same host to a browser, and so is the name that GitHub has for the latter.
function hostName(host: string): string {
  const name = host.toLowerCase().replace(/:(22|443|80)$/, '');
  return name === 'ssh.github.com' ? 'github.com' : name;
}

function repositoryPath(path: string): string {
  return path
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
}
