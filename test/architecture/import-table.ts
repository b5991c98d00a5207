/** Every room of src/, with the rooms that it may import; written from the design, not from the lint rules. */
export const importTable = {
  protocol: [],
  domain: ['protocol'],
  process: [],
  'workspace-tools': ['protocol', 'domain', 'process'],
  runtimes: ['protocol', 'domain', 'process', 'workspace-tools'],
  runner: ['runtimes', 'protocol', 'process'],
  store: ['protocol', 'domain'],
  host: ['protocol', 'domain', 'process', 'store'],
  mcp: ['client', 'protocol', 'domain'],
  http: ['host', 'client', 'mcp', 'protocol', 'domain'],
  client: ['protocol'],
  live: ['client', 'protocol', 'domain'],
  simulator: ['protocol'],
  testing: ['runtimes', 'protocol', 'simulator'],
  cli: ['live', 'client', 'mcp', 'protocol', 'domain', 'process', 'compose'],
  web: ['live', 'client', 'protocol', 'domain'],
} as const satisfies Record<string, readonly string[]>;

export type Room = keyof typeof importTable;

/** The rooms that also run in a browser, where there is no node: module. */
export const browserRooms: readonly Room[] = ['protocol', 'domain', 'client', 'live', 'web'];
