/** What OpenCode does by itself; about everything else it asks, and the gatekeeper decides. */
const unasked = [
  'glob',
  'grep',
  'list',
  'lsp',
  'question',
  'skill',
  // A sub-agent's own calls are asked about like any other.
  'task',
  'todoread',
  'todowrite',
];

interface Rule {
  readonly permission: string;
  readonly pattern: string;
  readonly action: 'allow' | 'ask';
}

/**
 * The rules of a session. The last one that fits counts, and those of a session come after all others; a sub-agent's
 * session does not inherit them (measured), so that the settings hold them too.
 */
export const sessionRules: readonly Rule[] = [
  { permission: '*', pattern: '*', action: 'ask' },
  { permission: 'read', pattern: '*', action: 'allow' },
  // OpenCode itself takes them for secrets.
  { permission: 'read', pattern: '*.env', action: 'ask' },
  { permission: 'read', pattern: '*.env.*', action: 'ask' },
  ...unasked.map((permission): Rule => ({ permission, pattern: '*', action: 'allow' })),
];

/** The same in the words of its settings. */
export function settingsRules(): Record<string, string | Record<string, string>> {
  return {
    '*': 'ask',
    read: { '*': 'allow', '*.env': 'ask', '*.env.*': 'ask' },
    ...Object.fromEntries(unasked.map((permission) => [permission, 'allow'])),
  };
}

/** Whether rules of a session end with ours, so that they need not be added again. */
export function holdsRules(rules: readonly object[]): boolean {
  const end = rules.slice(-sessionRules.length);
  return JSON.stringify(end.map(sorted)) === JSON.stringify(sessionRules.map(sorted));
}

function sorted(rule: object): unknown {
  return Object.entries(rule).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
