/**
 * A line of `amp --stream-json`. It has the form of Claude Code's messages, as Amp documents it; what Claude Code adds to
 * the first one Amp does not say.
 */
export function readAmpLine(text: string): unknown {
  const raw: unknown = JSON.parse(text);
  if (!isRecord(raw)) return raw;
  const { type, subtype, error, errors } = raw;
  if (type === 'system' && subtype === 'init')
    return { model: 'amp', permissionMode: 'bypassPermissions', mcp_servers: [], tools: [], ...raw };
  // A failed turn says why in one text.
  if (type === 'result' && typeof error === 'string' && errors === undefined)
    return { ...raw, errors: [error] };
  return raw;
}

/** Whether an error text of Amp means that a login is missing, wrong or expired. */
export function speaksOfAmpLogin(text: string): boolean {
  return /\b(?:amp login|AMP_API_KEY|log in|login required|unauthorized|401)\b/i.test(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
