/** A field of a vendor's JSON, which may be anything. */
export function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** The items of a field that should be a list; what is no list has none. */
export function list(value: unknown, name?: string): unknown[] {
  const found = name === undefined ? value : field(value, name);
  return Array.isArray(found) ? found : [];
}

/** A field that should be a string. */
export function string(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === 'string' ? found : '';
}

/** The text in a message's content, which vendors send as a string or as parts, nested in tool results. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(contentText).join('\n');
  if (!isRecord(content)) return '';
  return typeof content.text === 'string' ? content.text : contentText(content.content);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
