import type { Finding } from './finding.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy that programs use for an address, as nearly all of them read the environment. */
export type ProxyChoice =
  | { readonly kind: 'direct' }
  | { readonly kind: 'proxy'; readonly variable: string; readonly host: string; readonly port: number }
  | { readonly kind: 'unreadable'; readonly variable: string };

const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'socks:': 1080,
  'socks4:': 1080,
  'socks4a:': 1080,
  'socks5:': 1080,
  'socks5h:': 1080,
};

/** Which proxy stands between an agent and the server of its model. */
export function proxyFor(target: string, env: Environment): ProxyChoice {
  const url = readUrl(target);
  if (url === null || isLocal(url.hostname) || isExempt(url.hostname, env)) return { kind: 'direct' };
  const scheme = url.protocol.slice(0, -1);
  const names = [`${scheme}_proxy`, `${scheme.toUpperCase()}_PROXY`, 'all_proxy', 'ALL_PROXY'];
  const variable = names.find((name) => (env[name] ?? '') !== '');
  if (variable === undefined) return { kind: 'direct' };
  const value = env[variable] ?? '';
  // `proxy:3128` without a scheme is read as http by all of them.
  const proxy = readUrl(value.includes('://') ? value : `http://${value}`);
  const defaultPort = proxy === null ? undefined : defaultPorts[proxy.protocol];
  if (proxy === null || defaultPort === undefined || proxy.hostname === '')
    return { kind: 'unreadable', variable };
  const port = proxy.port === '' ? defaultPort : Number(proxy.port);
  return { kind: 'proxy', variable, host: proxy.hostname.replaceAll(/^\[|\]$/g, ''), port };
}

/** What is wrong with a proxy; `isReached` says whether something listens there. */
export function proxyFindings(choice: ProxyChoice, isReached: boolean): readonly Finding[] {
  switch (choice.kind) {
    case 'direct':
      return [];
    case 'unreadable':
      return [
        {
          subject: 'proxy',
          stops: 'config',
          problem: `${choice.variable} is not the address of a proxy.`,
          fix: `Write it like http://proxy.example:3128, or unset ${choice.variable}, and restart the worker.`,
        },
      ];
    case 'proxy':
      if (isReached) return [];
      return [
        {
          subject: 'proxy',
          stops: 'not_ready',
          problem: `Nothing answers at the proxy that ${choice.variable} names (${choice.host}:${choice.port}), so the model cannot be reached.`,
          fix: `Start the proxy, correct ${choice.variable}, or name the model's host in NO_PROXY, and restart the worker.`,
        },
      ];
    default:
      return choice satisfies never;
  }
}

function readUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

function isExempt(host: string, env: Environment): boolean {
  const rules = (env['no_proxy'] ?? env['NO_PROXY'] ?? '')
    .split(',')
    .map((rule) => rule.trim().toLowerCase());
  return rules.some((rule) => {
    if (rule === '*') return true;
    const name = rule.replace(/:\d{1,5}$/, '').replace(/^\*?\./, '');
    return name !== '' && (host === name || host.endsWith(`.${name}`));
  });
}
