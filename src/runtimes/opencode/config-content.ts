/** Settings that a user keeps in OPENCODE_CONFIG_CONTENT, a variable which we use too. */
export function configContent(text: string | undefined): {
  readonly content: object;
  readonly warnings: readonly string[];
} {
  if (text === undefined) return { content: {}, warnings: [] };
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === 'object' && content !== null && !Array.isArray(content))
      return { content, warnings: [] };
  } catch {
    // Said below.
  }
  return { content: {}, warnings: ['OPENCODE_CONFIG_CONTENT is left out: it is not a JSON object.'] };
}

/** These settings with one more plugin. */
export function withPlugin(content: object, plugin: string): object {
  const theirs = valueIn(content, 'plugin');
  return { ...content, plugin: [...(Array.isArray(theirs) ? theirs : []), plugin] };
}

/** What the settings hold under this name, where it is an object. */
export function objectIn(content: object, name: string): object {
  const value = valueIn(content, name);
  return typeof value === 'object' && value !== null ? value : {};
}

function valueIn(content: object, name: string): unknown {
  return Object.entries(content).find(([key]) => key === name)?.[1];
}
