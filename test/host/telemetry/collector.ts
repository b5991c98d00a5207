import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod';

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const Value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({
    arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }),
  }),
]);
const Attributes = z.array(z.strictObject({ key: z.string().min(1), value: Value }));
const SpanJson = z.strictObject({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: hex(16).optional(),
  name: z.string().min(1),
  kind: z.literal(1),
  startTimeUnixNano: z.string().regex(/^\d+$/),
  endTimeUnixNano: z.string().regex(/^\d+$/),
  attributes: Attributes,
  status: z.strictObject({ code: z.literal(2).optional(), message: z.string().optional() }),
});

/** A body as OTLP's protobuf definition has it in JSON; nothing else is taken. */
const TracesRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: Attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(SpanJson).min(1),
        }),
      ),
    }),
  ),
});

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** In seconds. */
  readonly took: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

/** A collector that refuses what is no OTLP, and keeps the rest. */
export async function openCollector() {
  const spans: CollectedSpan[] = [];
  const refusals: string[] = [];
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] =
    [];
  const answers: { readonly status: number; readonly body?: string; readonly location?: string }[] = [];
  let resource: Readonly<Record<string, unknown>> = {};
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString();
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    const planned = answers.shift();
    if (planned) {
      response
        .writeHead(planned.status, planned.location === undefined ? {} : { location: planned.location })
        .end(planned.body ?? '');
      return;
    }
    const read = TracesRequest.safeParse(JSON.parse(body));
    if (!read.success) {
      refusals.push(z.prettifyError(read.error));
      response.writeHead(400).end();
      return;
    }
    for (const each of read.data.resourceSpans) {
      resource = plain(each.resource.attributes);
      for (const span of each.scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId,
          name: span.name,
          took: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e9,
          attributes: plain(span.attributes),
          isError: span.status.code === 2,
        });
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    refusals,
    requests,
    /** What is answered next, instead of what is right. */
    answers,
    resource: () => resource,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function plain(attributes: z.infer<typeof Attributes>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [kind, content] = Object.entries(value)[0] ?? [];
      return [key, kind === 'intValue' ? Number(content) : content];
    }),
  );
}
