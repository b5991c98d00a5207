import { cutText } from '../../protocol/cut-text.js';
import type { TurnErrorKind } from '../../protocol/turn-result.js';
import type { WireAgent } from './wire.js';

/** What ACP calls a missing login. */
const authRequired = -32_000;

const loginWords =
  /unauthorized|unauthenticated|authentication required|not logged in|please (log|sign) ?in|invalid (x-)?api.key|api key not valid|oauth token/i;

/** Whether an error of an agent speaks of a missing, wrong or expired login. */
export function speaksOfAcpLogin(text: string): boolean {
  return loginWords.test(text);
}

/** Why a turn failed, by the code where it is an HTTP status, else by a status or a word in the text. */
export function acpErrorKind({
  code,
  message,
}: {
  readonly code: number;
  readonly message: string;
}): TurnErrorKind {
  if (code === authRequired || speaksOfAcpLogin(message)) return 'auth';
  const status = code >= 400 && code < 600 ? code : statusIn(message);
  if (status !== null) return kindOfStatus(status);
  if (/rate.?limit|too many requests|quota|usage limit|high demand/i.test(message)) return 'rate_limit';
  if (/overloaded/i.test(message)) return 'overloaded';
  if (
    /connection (closed|lost|refused|error)|fetch failed|network|stream (disconnected|closed)|ECONN/i.test(
      message,
    )
  )
    return 'network';
  return 'other';
}

/** A status as agents word it: "API Error: 429 …", "status 503", "code":401. */
function statusIn(text: string): number | null {
  const found = /(?:error|status|code)["']?[:= ]{1,3}(?:code )?([45]\d\d)\b/i.exec(text);
  return found ? Number(found[1]) : null;
}

function kindOfStatus(status: number): TurnErrorKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'billing';
  if (status === 429) return 'rate_limit';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'server' : 'invalid_request';
}

/** What a person does about a missing login; nothing here signs in, because that may wait for a browser for ever. */
export function loginSentence(
  name: string,
  { agent, detail }: { readonly agent: WireAgent | null; readonly detail: string },
): string {
  const ways = (agent?.authMethods ?? []).map((each) => each.name ?? each.id).slice(0, 6);
  const how = ways.length > 0 ? ` It offers: ${cutText(ways.join(', '), 300)}.` : '';
  const what = cutText(detail.replaceAll(/\s+/g, ' ').trim(), 300);
  return `${name} is not signed in (${what}).${how} Start it in a terminal and sign in there, or set the key that it reads, then send the message once more.`;
}

/** codex-acp ends a failed turn like a good one; that it failed stands only here (measured). */
export function isSystemError({ _meta }: { readonly _meta?: unknown }): boolean {
  const text = JSON.stringify(_meta ?? null);
  return text.includes('"threadStatus":{"type":"systemError"');
}
