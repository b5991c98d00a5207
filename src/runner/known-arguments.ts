/** The arguments of a command line that are known, and a sentence for each that is not. */
export interface KnownArguments {
  readonly argv: readonly string[];
  readonly warnings: readonly string[];
}

type Options = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;

/** Leaves out what nobody here knows, with its value: a parent of an older runner may say more than that one knew. */
export function knownArguments(argv: readonly string[], options: Options): KnownArguments {
  const known: string[] = [];
  const warnings: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const [name = ''] = word.replace(/^--/, '').split('=');
    const option = word.startsWith('--') && Object.hasOwn(options, name) ? options[name] : undefined;
    const next = argv[at + 1];
    const hasValue = !word.includes('=') && next !== undefined && !next.startsWith('--');
    if (option || word === '-h') known.push(word);
    else warnings.push(`The argument ${JSON.stringify(word.slice(0, 200))} is unknown and ignored.`);
    const takesValue = option
      ? option.type === 'string' && !word.includes('=')
      : word.startsWith('--') && hasValue;
    if (!takesValue || next === undefined) continue;
    if (option) known.push(next);
    at += 1;
  }
  return { argv: known, warnings };
}
