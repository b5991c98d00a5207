import type {
  ConsoleInput,
  ConsoleState,
  ConsoleStep,
  ConsoleWorld,
} from '../../../src/cli/console/console-state.js';
import { openState } from '../../../src/cli/console/console-state.js';
import { consoleStep } from '../../../src/cli/console/console-step.js';
import { bodyLook, frameLines } from '../../../src/cli/console/frame.js';
import type { Look } from '../../../src/cli/console/look.js';
import { promptLayout } from '../../../src/cli/console/prompt-layout.js';
import { palette } from '../../../src/cli/terminal/colours.js';
import { isKey, type Key, KeyDecoder, type MousePress } from '../../../src/cli/terminal/key.js';
import { emptyOverview } from '../../../src/live/overview.js';
import { Prompt } from '../../../src/protocol/prompt.js';
import { Thread } from '../../../src/protocol/thread.js';

const asked = '2026-01-01T09:00:00.000Z';
const began = Date.parse(asked) + 60_000;

export function sampleThread(number: number, more: Record<string, unknown> = {}): Thread {
  return Thread.parse({
    id: threadId(number),
    title: `Work ${number}`,
    runtime: 'claude',
    workspace: { path: '/projects/shop' },
    status: { state: 'idle', why: 'it rests', source: 'test', confidence: 'authoritative' },
    lastSeq: 1,
    usage: { inputTokens: 0, outputTokens: 0, costUsd: null },
    createdAt: asked,
    ...more,
  });
}

export function samplePrompt(number: number, more: Record<string, unknown> = {}): Prompt {
  return Prompt.parse({
    id: promptId(number),
    threadId: threadId(number),
    kind: 'ask_user_question',
    state: 'pending',
    active: true,
    questions: [
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        options: [
          { label: 'Red', description: 'warm' },
          { label: 'Blue', description: 'cold' },
        ],
      },
    ],
    fingerprint: `print ${number}`,
    onUnanswered: 'wait',
    createdAt: asked,
    ...more,
  });
}

export function sampleApproval(number: number, input: Record<string, unknown>, tool = 'Bash'): Prompt {
  return samplePrompt(number, {
    kind: 'approval',
    questions: [],
    action: { tool, input, digest: 'digest' },
  });
}

export function promptId(number: number): string {
  return `prm_01k9y${String(number).padStart(21, '0')}`;
}

export function threadId(number: number): string {
  return `thr_01k9y${String(number).padStart(21, '0')}`;
}

export function sampleWorld({
  threads = [],
  prompts = [],
  ...more
}: { threads?: readonly Thread[]; prompts?: readonly Prompt[] } & Partial<ConsoleWorld>): ConsoleWorld {
  return {
    overview: {
      ...emptyOverview,
      connection: { kind: 'live' },
      isPresent: true,
      threads: new Map(threads.map((thread) => [thread.id, thread])),
      prompts: new Map(prompts.map((prompt) => [prompt.id, prompt])),
    },
    feed: undefined,
    changes: undefined,
    found: undefined,
    precedents: undefined,
    lines: new Map(),
    history: [],
    abilities: new Map(),
    actor: 'user:owner',
    folder: '/projects/shop',
    costToday: undefined,
    now: began,
    ...more,
  };
}

/** A console without a terminal: keys in, lines out. Each key comes when the one before has settled. */
export class ConsoleRig {
  state: ConsoleState;
  world: ConsoleWorld;
  readonly effects: ConsoleStep['effects'][number][] = [];
  readonly #paint: Pick<Look, 'colours' | 'isUnicode'>;
  at = began;

  constructor(
    world: ConsoleWorld,
    {
      columns = 100,
      rows = 30,
      views = [{ kind: 'home' }],
      isUnicode = true,
      isColoured = false,
    }: {
      columns?: number;
      rows?: number;
      views?: ConsoleState['views'];
      isUnicode?: boolean;
      isColoured?: boolean;
    } = {},
  ) {
    this.world = world;
    this.state = openState({ columns, rows }, views);
    this.#paint = { colours: palette({ isColoured }), isUnicode };
  }

  get look(): Look {
    return { ...this.#paint, ...this.state.size };
  }

  lines(): string[] {
    return frameLines(this.state, this.world, this.look).map((line) => line.trimEnd());
  }

  tell(input: ConsoleInput): this {
    const { state, effects } = consoleStep(this.state, input, { world: this.world, look: this.look });
    this.state = state;
    this.effects.push(...effects);
    return this;
  }

  /** Keys as a terminal sends them, a second after each other; the screen is drawn before each. */
  type(keys: string, { everyMs = 1000, isRepeat = false } = {}): this {
    const decoder = new KeyDecoder();
    for (const one of [...decoder.push(keys), ...decoder.waited()]) this.#take(one, { everyMs, isRepeat });
    return this;
  }

  /** What a terminal reports of a mouse, in pieces; rows are counted from 1. */
  mouse(...pieces: string[]): this {
    const decoder = new KeyDecoder();
    for (const one of pieces.flatMap((piece) => decoder.push(piece))) this.#take(one);
    return this;
  }

  #take(one: Key | MousePress, timing?: { everyMs: number; isRepeat: boolean }): void {
    if (isKey(one)) this.press(one, timing);
    else this.tell({ kind: 'mouse', press: one, at: this.at });
  }

  press(key: Key, { everyMs = 1000, isRepeat = false } = {}): this {
    this.draw();
    this.at += everyMs;
    this.world = { ...this.world, now: this.at };
    return this.tell({ kind: 'key', key, at: this.at, isRepeat });
  }

  /** What is on the screen has been seen. */
  draw(): this {
    const view = this.state.views.at(-1);
    const layout =
      view?.kind === 'inbox'
        ? promptLayout(view, { state: this.state, world: this.world, look: bodyLook(this.look) })
        : undefined;
    if (layout?.prompt.kind !== 'approval') return this;
    const { prompt, columns, inSight, rows } = layout;
    return this.tell({ kind: 'drawn', promptId: prompt.id, columns, span: inSight, total: rows.length });
  }
}
