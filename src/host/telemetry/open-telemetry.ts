import type { Store } from '../../store/store.js';
import type { Clock } from '../clock.js';
import type { Telemetry } from './telemetry.js';
import { type TelemetrySettings, telemetryChoice } from './telemetry-choice.js';

/** The traces of a worker, where somebody asks for them; nothing of them is loaded otherwise. */
export async function openTelemetry(options: {
  readonly store: Store;
  readonly settings: TelemetrySettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: (line: string) => void;
}): Promise<Telemetry | undefined> {
  const { store, settings, env, version, clock, log } = options;
  const choice = telemetryChoice(settings, env, log);
  if (!choice) return undefined;
  const [{ Telemetry }, { SpanExport }] = await Promise.all([
    import('./telemetry.js'),
    import('./span-export.js'),
  ]);
  const { url, headers, resource, withTexts } = choice;
  const about = { ...resource, 'service.version': version, 'service.instance.id': store.worker.id };
  const spans = new SpanExport({ url, headers, source: { version, resource: about }, log });
  return new Telemetry({ store, clock, spans, withTexts, log });
}
