import type { Attributes, AttributeValue, TraceSpan } from './span.js';

/** Who tells, and in which words: what all spans of a worker have in common. */
export interface TelemetrySource {
  readonly version: string;
  readonly resource: Attributes;
}

/** Spans as the body of a request in OTLP's JSON, in which numbers of 64 bits are texts and ids are hexadecimal. */
export function otlpBody(spans: readonly TraceSpan[], { version, resource }: TelemetrySource): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: pairs(resource) },
        scopeSpans: [{ scope: { name: 'handraise', version }, spans: spans.map(spanJson) }],
      },
    ],
  });
}

function spanJson({ traceId, spanId, parentSpanId, name, start, end, attributes, error }: TraceSpan) {
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name: wellFormed(name),
    kind: 1,
    startTimeUnixNano: nanos(start),
    endTimeUnixNano: nanos(end),
    attributes: pairs(attributes),
    status: error === undefined ? {} : { code: 2, message: wellFormed(error) },
  };
}

function pairs(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined || isNoNumber(value) ? [] : [{ key, value: anyValue(value) }],
  );
}

// JSON has no words for these.
function isNoNumber(value: AttributeValue): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

function anyValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: wellFormed(value) };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((each) => ({ stringValue: wellFormed(each) })) } };
}

// Half a surrogate pair is no text in the collectors' languages.
const halfPairs = /\p{Surrogate}/gu;

function wellFormed(text: string): string {
  return text.replace(halfPairs, '\ufffd');
}

// What 63 bits hold.
const latestMs = 9_223_372_036_854;

/** A time that nobody can read is told as 1970, and one that does not fit as the nearest that does. */
function nanos(ms: number): string {
  const known = Number.isNaN(ms) ? 0 : Math.min(Math.max(0, Math.round(ms)), latestMs);
  return String(BigInt(known) * 1_000_000n);
}
