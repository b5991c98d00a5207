/** A place that a connection goes to. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

const usualPort = 443;

/** Where `host:port` leads, as a client of a proxy writes it; null when it is no such thing. */
export function readHostAndPort(text: string, missingPort = usualPort): HostAndPort | null {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-f:.]+)\]|([^:[\]/@\s]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = (bracketed ?? plain)?.toLowerCase().replace(/\.$/, '');
  const number = port === undefined ? missingPort : Number(port);
  if (host === undefined || host === '' || host.length > 253 || number < 1 || number > 65_535) return null;
  return { host, port: number };
}

/** A place as a list of hosts has it: an address of colons stands in brackets, and the usual port is left out. */
export function listedPlace({ host, port }: HostAndPort): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === usualPort ? name : `${name}:${port}`;
}

/** Whether a list of `name`, `*.name` and `name:port` lets a connection through; no name stands for an address. */
export function isReachable(list: readonly string[], { host, port }: HostAndPort): boolean {
  return list.some((entry) => {
    const isBelow = entry.startsWith('*.');
    const allowed = readHostAndPort(isBelow ? entry.slice(2) : entry);
    if (allowed === null || allowed.port !== port) return false;
    return isBelow ? host.endsWith(`.${allowed.host}`) : host === allowed.host;
  });
}

/** What a model's address means for an agent that has no network but the proxy. */
export interface ModelAddress {
  /** The address as the agent is told. */
  readonly told: string;
  /** Where requests go that name no host, because they were sent to the proxy as if it were the model. */
  readonly origin?: string;
  /** The host to let through, where the agent's own encryption reaches to it. */
  readonly host?: string;
}

/** An encrypted address stays as it is; a plain one leads to the proxy, which alone knows where it is. */
export function modelAddress(url: string, proxy: string): ModelAddress | null {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return null;
  }
  if (parsed.protocol === 'https:')
    return { told: url, host: `${parsed.hostname}:${parsed.port === '' ? usualPort : parsed.port}` };
  if (parsed.protocol !== 'http:') return null;
  const path = parsed.pathname === '/' ? '' : parsed.pathname;
  return { told: `${proxy}${path}`, origin: parsed.origin };
}
