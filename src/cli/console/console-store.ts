import type { Client } from '../../client/client.js';
import { OverviewStore } from '../../live/overview-store.js';
import { ThreadFeed } from '../../live/thread-feed.js';
import type { UsageReport } from '../../protocol/api.js';
import type { ThreadId } from '../../protocol/id.js';
import type { ApprovalAbilities } from '../ask/approval-menu.js';
import { WorkerReplacement } from '../follow/worker-replacement.js';
import type { Key, MousePress } from '../terminal/key.js';
import { KeyRepeats } from '../terminal/key-repeats.js';
import { ConsoleActions } from './console-actions.js';
import {
  type ConsoleInput,
  type ConsoleState,
  type ConsoleWorld,
  openState,
  type ScreenSize,
  shownView,
  withView,
} from './console-state.js';
import { consoleStep, settlesAt } from './console-step.js';
import { bodyLook, frameLines, isTiny } from './frame.js';
import { countedThreads } from './home-view.js';
import type { Look } from './look.js';
import { promptLayout } from './prompt-layout.js';
import { nextView } from './prompt-step.js';
import { RowChanges } from './row-changes.js';

export interface ConsoleStoreOptions {
  readonly client: Client;
  readonly views: ConsoleState['views'];
  readonly size: ScreenSize;
  readonly paint: Pick<Look, 'colours' | 'isUnicode'>;
  readonly folder: string;
  readonly now: () => number;
  readonly lend: <Result>(use: () => Promise<Result>) => Promise<Result>;
  readonly quit: () => void;
  readonly isMouseOn: boolean;
  readonly useMouse: (isOn: boolean) => void;
}

/** The screen as it stands, and which rows of an action it shows. */
export interface ConsoleFrame {
  readonly lines: readonly string[];
  readonly drawn: Extract<ConsoleInput, { kind: 'drawn' }> | undefined;
}

type Known = Pick<
  ConsoleWorld,
  'changes' | 'found' | 'history' | 'abilities' | 'actor' | 'precedents' | 'costToday'
>;

const tickMs = 1000;
const costEveryMs = 60_000;
// Until the worker has told.
const usualUndoSeconds = 5;

/** The console as one value that changes: what the worker tells, what keys do, and the screen that follows from both. */
export class ConsoleStore implements Disposable {
  readonly #options: ConsoleStoreOptions;
  readonly #overview: OverviewStore;
  readonly #actions: ConsoleActions;
  readonly #repeats = new KeyRepeats();
  readonly #listeners = new Set<() => void>();
  readonly #ending = new AbortController();
  readonly #replacement: WorkerReplacement;
  readonly #rowChanges: RowChanges;
  #state: ConsoleState;
  #known: Known = {
    changes: undefined,
    found: undefined,
    history: [],
    abilities: new Map(),
    actor: undefined,
    precedents: undefined,
    costToday: undefined,
  };
  #undoSeconds = usualUndoSeconds;
  #feed:
    | { readonly threadId: ThreadId; readonly feed: ThreadFeed; readonly ending: AbortController }
    | undefined;
  #frame: ConsoleFrame | undefined;
  #settling: NodeJS.Timeout | undefined;
  readonly #tick: NodeJS.Timeout;
  readonly #costTick: NodeJS.Timeout;

  constructor(options: ConsoleStoreOptions) {
    const { client, size, views } = options;
    this.#options = options;
    this.#state = openState(size, views, options);
    this.#overview = new OverviewStore(client);
    this.#replacement = new WorkerReplacement((words) =>
      this.tell({ kind: 'told', toast: { words, tone: 'quiet' } }),
    );
    this.#rowChanges = new RowChanges(client, () => this.#changed());
    this.#actions = new ConsoleActions({
      client,
      overview: this.#overview,
      undoSeconds: () => this.#undoSeconds,
      tell: (input) => this.tell(input),
      know: (known) => this.#know(known),
      readThread: (threadId) => this.#readThread(threadId),
      readEarlier: () => void this.#feed?.feed.readEarlier(),
      lend: options.lend,
      quit: options.quit,
      useMouse: options.useMouse,
    });
    this.#tick = setInterval(() => this.#changed(), tickMs);
    this.#costTick = setInterval(() => this.#readCost(), costEveryMs);
  }

  /** Follows the worker until the console is closed. */
  begin(): void {
    this.#overview.subscribe(() => this.#overviewChanged());
    void this.#overview.follow(this.#ending.signal);
    void this.#learn();
    this.#readCost();
  }

  [Symbol.dispose](): void {
    this.#ending.abort();
    this.#feed?.ending.abort();
    clearInterval(this.#tick);
    clearInterval(this.#costTick);
    clearTimeout(this.#settling);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get frame(): ConsoleFrame {
    this.#frame ??= this.#draw();
    return this.#frame;
  }

  press(key: Key): void {
    const at = this.#options.now();
    this.tell({ kind: 'key', key, at, isRepeat: this.#repeats.isRepeat(key, at) });
  }

  click(press: MousePress): void {
    this.tell({ kind: 'mouse', press, at: this.#options.now() });
  }

  /** A frame was written to the terminal. */
  drawn({ drawn }: ConsoleFrame): void {
    if (!drawn) return;
    const seen = this.#state.seen.get(drawn.promptId);
    const isKnown =
      seen?.isWhole === true ||
      (seen?.columns === drawn.columns &&
        seen.spans.some(({ from, to }) => from <= drawn.span.from && to >= drawn.span.to));
    if (!isKnown) this.tell(drawn);
  }

  tell(input: ConsoleInput): void {
    if (this.#ending.signal.aborted) return;
    const { state, effects } = consoleStep(this.#state, input, { world: this.#world(), look: this.#look() });
    this.#state = state;
    this.#frame = undefined;
    this.#followShown();
    const settles = settlesAt(state);
    clearTimeout(this.#settling);
    if (settles !== undefined)
      this.#settling = setTimeout(() => this.#changed(), Math.max(0, settles - this.#options.now()) + 1);
    this.#changed();
    for (const effect of effects) this.#actions.do(effect);
  }

  #world(): ConsoleWorld {
    const { folder, now } = this.#options;
    return {
      ...this.#known,
      lines: this.#rowChanges.lines,
      overview: this.#overview.overview,
      feed: this.#feed?.feed.view,
      folder,
      now: now(),
    };
  }

  #look(): Look {
    return { ...this.#options.paint, ...this.#state.size };
  }

  #draw(): ConsoleFrame {
    const [state, world, look] = [this.#state, this.#world(), this.#look()];
    const view = shownView(state);
    this.#rowChanges.want(view.kind === 'home' ? countedThreads(state, world, bodyLook(look)) : []);
    const layout =
      view.kind === 'inbox' && !isTiny(state)
        ? promptLayout(view, { state, world, look: bodyLook(look) })
        : undefined;
    const drawn =
      layout?.prompt.kind === 'approval'
        ? ({
            kind: 'drawn',
            promptId: layout.prompt.id,
            columns: layout.columns,
            span: layout.inSight,
            total: layout.rows.length,
          } as const)
        : undefined;
    return { lines: frameLines(state, world, look), drawn };
  }

  #changed(): void {
    this.#frame = undefined;
    for (const listener of this.#listeners) listener();
  }

  #overviewChanged(): void {
    const { overview } = this.#overview;
    if (overview.connection.kind === 'reconnecting') this.#replacement.begin();
    const view = shownView(this.#state);
    // An inbox that was empty takes what comes first.
    if (view.kind === 'inbox' && view.promptId === undefined && overview.isPresent) {
      const now = this.#options.now();
      const next = nextView(this.#world(), undefined, now);
      if (next.promptId !== undefined) this.#state = withView(this.#state, next);
      this.tell({ kind: 'returned', at: now });
    }
    this.#changed();
  }

  /** A figure beside the counts; where it cannot be read, the last one stands. */
  #readCost(): void {
    const today = new Date(this.#options.now()).toISOString().slice(0, 10);
    const know = (days: readonly UsageReport[]) => {
      const cost = days.find(({ key }) => key === today)?.usage.costUsd;
      this.#know({ costToday: cost ?? undefined });
    };
    this.#options.client.usage('day').then(know, () => {});
  }

  #know(known: Partial<Known>): void {
    this.#known = { ...this.#known, ...known };
    this.#changed();
  }

  /** A thread that is shown is followed; one that was left is not. */
  #followShown(): void {
    this.#lookBack();
    const shown = this.#state.views.flatMap((view) => (view.kind === 'thread' ? [view.threadId] : []));
    if (this.#feed && !shown.includes(this.#feed.threadId)) {
      this.#feed.ending.abort();
      this.#feed = undefined;
    }
  }

  /** What was answered before to the prompt that is shown; a help and no more, so a failure is none. */
  #lookBack(): void {
    const view = shownView(this.#state);
    const promptId = view.kind === 'inbox' ? view.promptId : undefined;
    if (promptId === undefined || this.#known.precedents?.promptId === promptId) return;
    this.#known = { ...this.#known, precedents: { promptId, list: [] } };
    this.#options.client.prompts.precedents(promptId).then(
      (list) =>
        this.#known.precedents?.promptId === promptId && this.#know({ precedents: { promptId, list } }),
      () => {},
    );
  }

  #readThread(threadId: ThreadId): void {
    if (this.#feed?.threadId === threadId) return;
    this.#feed?.ending.abort();
    const [feed, ending] = [new ThreadFeed(this.#options.client, threadId), new AbortController()];
    this.#feed = { threadId, feed, ending };
    feed.subscribe(() => this.#changed());
    void feed.follow(ending.signal);
  }

  /** What runtimes can be told, in whose name this console answers, and for how long that can be undone. */
  async #learn(): Promise<void> {
    const { client } = this.#options;
    try {
      const [{ actor, undoSeconds }, runtimes] = await Promise.all([
        client.consoleSettings(),
        client.runtimes(),
      ]);
      this.#undoSeconds = undoSeconds;
      const abilities = new Map<string, ApprovalAbilities>(
        runtimes.map(({ name, capabilities }) => [
          name,
          {
            editedInput: capabilities?.['editedInput'] === true,
            denyWithMessage: capabilities?.['denyWithMessage'] === true,
          },
        ]),
      );
      this.#know({ actor, abilities });
    } catch {
      // Everything is offered until it is known, and the worker refuses what cannot be.
    }
  }
}
