const requestMs = 10_000;
const mostSaid = 64 * 1024;
const passingStatus = new Set([429, 502, 503, 504]);
// Of the network, which may be there again soon. A certificate or a header that is refused stays so.
const passingCode =
  /^(E(?!RR_|PROTO$|INVAL$)[A-Z0-9_]{2,30}|UND_ERR_(SOCKET|CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT))$/;
const readableCode = /^[A-Z][A-Z0-9_]{2,60}$/;

/** How many spans the collector refused, or what went wrong and whether it may pass. */
export type CollectorAnswer =
  | number
  | { readonly trouble: string; readonly passes: boolean; readonly afterMs?: number };

/** Asks the collector once to take a body. What it says of trouble holds nothing of the URL and the headers. */
export async function postSpans(request: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly closing: AbortSignal;
}): Promise<CollectorAnswer> {
  const { url, headers, body, closing } = request;
  const late = AbortSignal.timeout(requestMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      // A collector that sends elsewhere would send our headers there too.
      redirect: 'manual',
      signal: AbortSignal.any([closing, late]),
    });
    if (response.ok) return refusedSpans(await beginningOf(response));
    await response.body?.cancel();
    const after = Number(response.headers.get('retry-after'));
    return {
      trouble: `it answered ${response.status}`,
      passes: passingStatus.has(response.status),
      ...(after > 0 && { afterMs: after * 1000 }),
    };
  } catch (error) {
    if (late.aborted) return { trouble: 'it did not answer in time', passes: true };
    return troubleOf(error);
  }
}

/** The words of an error can hold the URL or the value of a header; its code cannot. */
function troubleOf(error: unknown): CollectorAnswer {
  const code: unknown = Object(Object(error).cause).code;
  if (typeof code !== 'string' || !readableCode.test(code))
    return { trouble: 'the request cannot be sent', passes: false };
  return { trouble: code, passes: passingCode.test(code) };
}

/** What was answered, where it is short enough to be an answer of OTLP. */
async function beginningOf({ body }: Response): Promise<string> {
  if (!body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Whoever leaves the loop cancels the rest.
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > mostSaid) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function refusedSpans(said: string): number {
  try {
    const refused = Number(Object(Object(JSON.parse(said)).partialSuccess).rejectedSpans ?? 0);
    return Math.max(0, Math.trunc(refused)) || 0;
  } catch {
    return 0;
  }
}
