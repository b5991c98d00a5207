import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isSpared, keepsAgent, type LastStart, type SpareKind } from '../../domain/run/spare-policy.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { RuntimeName } from '../../protocol/posture.js';
import { parkingArguments } from './runner-arguments.js';
import { SpareRunner } from './spare-runner.js';

// A runner that loads competes with the launch, or the start of the worker, that is under way.
const prepareAfterMs = 500;

export interface SpareRunnersOptions {
  readonly home: string;
  readonly runner: { readonly file: string; readonly args: readonly string[] };
  readonly env: Readonly<Record<string, string>>;
  readonly keeps: SpareKind;
  /** After this time without a start of its runtime a spare is let go. */
  readonly unusedMs: number;
  /** The name of the next socket, and what whoever uses it must know. */
  readonly newSecret: (count: number) => { readonly name: string; readonly secret: string };
  readonly log: (line: string) => void;
}

/** A spare of one runtime: the one that waits, and when the next is made or this one let go. */
interface Place {
  spare: SpareRunner | null;
  prepare?: NodeJS.Timeout;
  letGo?: NodeJS.Timeout;
}

/** The runners that wait, one for each runtime that was used within the hour. */
export class SpareRunners implements AsyncDisposable {
  readonly #options: SpareRunnersOptions;
  readonly #places = new Map<RuntimeName, Place>();
  #count = 0;

  constructor(options: SpareRunnersOptions) {
    this.#options = options;
  }

  /** The one of this runtime, which is the caller's from now on. */
  take(runtime: RuntimeName): SpareRunner | null {
    const place = this.#places.get(runtime);
    const spare = place?.spare ?? null;
    if (place) place.spare = null;
    return spare;
  }

  /** Has one of this runtime ready again soon, with an agent where the next start is likely one like the last. */
  prepare(runtime: RuntimeName, last?: LastStart): void {
    const { keeps, unusedMs, log } = this.#options;
    if (keeps === 'none' || !isSpared(runtime)) return;
    const place = this.#places.get(runtime) ?? { spare: null };
    this.#places.set(runtime, place);
    const posture = keeps === 'agent' && last && keepsAgent(runtime, last) ? last.posture : null;
    clearTimeout(place.prepare);
    clearTimeout(place.letGo);
    place.prepare = setTimeout(() => {
      try {
        place.spare ??= this.#start(runtime, posture);
      } catch (error) {
        // For example on a full disk. The next run starts cold, and tries again.
        log(`No runner could be kept ready: ${errorSentence(error)}`);
      }
    }, prepareAfterMs);
    place.letGo = setTimeout(() => void this.take(runtime)?.dismiss(), prepareAfterMs + unusedMs).unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const places = [...this.#places.values()];
    this.#places.clear();
    for (const { prepare, letGo } of places) {
      clearTimeout(prepare);
      clearTimeout(letGo);
    }
    await Promise.all(places.map(async ({ spare }) => await spare?.dismiss()));
  }

  #start(runtime: RuntimeName, posture: LastStart['posture'] | null): SpareRunner {
    const { home, runner, env, newSecret } = this.#options;
    this.#count += 1;
    const sockets = join(home, 's');
    // An agent waits in a folder of its own, where there is nothing to find.
    const parked = join(home, 'parked');
    for (const folder of [sockets, parked]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { name, secret } = newSecret(this.#count);
    const command = { ...runner, cwd: home, env, outputFile: join(home, 'spare.log') };
    const parking = posture ? parkingArguments(posture, { cwd: parked }) : [];
    return new SpareRunner(command, { runtime, path: join(sockets, name), secret, parking });
  }
}
