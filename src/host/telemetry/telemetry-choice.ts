import { collectorHeaders } from './collector-headers.js';
import type { Attributes } from './span.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Where traces go, and with what. */
export interface TelemetryChoice {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Attributes;
  /** Whether what people and agents said is sent too. */
  readonly withTexts: boolean;
}

/** What the settings say about telemetry. */
export interface TelemetrySettings {
  readonly telemetryEndpoint?: string | undefined;
  readonly telemetryTexts?: boolean | undefined;
}

/**
 * Whether and where traces are sent: the settings, then the variables that OpenTelemetry has for this. Null where nobody asks for
 * them. What a variable says that cannot be followed is said to `warn`, and the worker goes on without traces.
 */
export function telemetryChoice(
  settings: TelemetrySettings,
  env: Variables,
  warn: (sentence: string) => void,
): TelemetryChoice | null {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none')
    return null;
  const [source, text] = endpointOf(settings, env);
  if (text === undefined || text === '') return null;
  const url = httpUrl(text);
  if (!url) {
    warn(
      `No traces are sent: ${source} is no http or https URL. Set it to one such as http://127.0.0.1:4318.`,
    );
    return null;
  }
  if (url.username !== '' || url.password !== '') {
    warn(
      `No traces are sent: ${source} holds a user name or a password. Take them out of the URL, and set OTEL_EXPORTER_OTLP_HEADERS to a header such as authorization=Basic%20….`,
    );
    return null;
  }
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ?? env['OTEL_EXPORTER_OTLP_PROTOCOL'];
  if (protocol !== undefined && protocol !== '' && protocol !== 'http/json')
    warn(
      `Traces are sent as http/json, although the environment asks for ${protocol}; nothing else is supported.`,
    );
  if (source !== 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
    url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  const resource = keyValues(env['OTEL_RESOURCE_ATTRIBUTES'] ?? '');
  return {
    url: url.href,
    headers: collectorHeaders(
      keyValues(env['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] ?? env['OTEL_EXPORTER_OTLP_HEADERS'] ?? ''),
      warn,
    ),
    resource: {
      ...resource,
      'service.name': env['OTEL_SERVICE_NAME'] || (resource['service.name'] ?? 'handraise'),
    },
    withTexts: settings.telemetryTexts ?? false,
  };
}

function endpointOf(
  { telemetryEndpoint }: TelemetrySettings,
  env: Variables,
): readonly [source: string, text: string | undefined] {
  if (telemetryEndpoint !== undefined) return ['the setting telemetryEndpoint', telemetryEndpoint];
  const own = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const common = 'OTEL_EXPORTER_OTLP_ENDPOINT';
  return env[own] ? [own, env[own]] : [common, env[common]];
}

function httpUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) ? url : null;
}

/** `a=1,b=2` with values in percent-encoding; what is no pair is passed over. */
function keyValues(text: string): Readonly<Record<string, string>> {
  const found = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    const key = pair.slice(0, Math.max(0, at)).trim();
    return key === '' ? [] : [[key, decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(found);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
