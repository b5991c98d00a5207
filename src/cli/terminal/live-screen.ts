import { duration } from '../../domain/words/age.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { Colours } from './colours.js';
import { fit } from './fit.js';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 100;
const clearLine = '\r\u001B[2K';

export interface ScreenOptions {
  readonly data: NodeJS.WriteStream;
  readonly messages: NodeJS.WriteStream;
  readonly colours: Colours;
  readonly now: () => number;
}

/** Lines at the end of the screen that belong to somebody else. */
export interface Below {
  readonly hide: () => void;
  readonly show: () => void;
}

/** Output that scrolls, with one moving line at its end that says what is going on; off a terminal nothing moves. */
export class LiveScreen implements Disposable {
  readonly #options: ScreenOptions;
  readonly #isAnimated: boolean;
  readonly #timer: NodeJS.Timeout | undefined;
  #work: { readonly words: string; readonly since: number } | undefined;
  #isPaused = false;
  #isDrawn = false;
  #isLineStart = true;
  #frame = 0;
  #below: Below | undefined;
  #unfinished = '';

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#isAnimated = options.messages.isTTY && process.env.TERM !== 'dumb';
    if (this.#isAnimated) this.#timer = setInterval(() => this.#draw(), frameMs);
    this.#timer?.unref();
  }

  /** The agent's words, as they come. */
  say(text: string): void {
    if (text === '') return;
    if (this.#below) this.#sayAbove(this.#below, text);
    else if (this.#isPaused) this.#unfinished += text;
    else this.#write(text);
  }

  /** A line about what happened. */
  tell(line: string): void {
    this.#clear();
    if (!this.#below) this.#writeUnfinished();
    this.endLine();
    this.#below?.hide();
    this.#options.messages.write(`${line}\n`);
    this.#below?.show();
    this.#draw();
  }

  /** Ends a line of the agent's that was not ended. */
  endLine(): void {
    if (!this.#isLineStart) this.#options.data.write('\n');
    this.#isLineStart = true;
  }

  /** What is being done from now on. */
  work(words: string): void {
    if (words === this.#work?.words) return;
    this.#work = { words, since: this.#options.now() };
    this.#draw();
  }

  /** Keeps the last line free, because a person types there: what the agent says meanwhile is kept until it may be seen. */
  pause(): void {
    this.#clear();
    this.endLine();
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#writeUnfinished();
    this.#draw();
  }

  /** Lets these lines stay the last ones, whatever is written, until they are let go. */
  hold(below: Below): () => void {
    this.#below = below;
    return () => {
      this.#below = undefined;
      if (!this.#isPaused) this.#writeUnfinished();
    };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#writeUnfinished();
    this.#clear();
    this.endLine();
  }

  #write(text: string): void {
    this.#clear();
    this.#options.data.write(text);
    this.#isLineStart = text.endsWith('\n');
  }

  #writeUnfinished(): void {
    if (this.#unfinished !== '') this.#write(this.#unfinished);
    this.#unfinished = '';
  }

  // Only whole lines: half of one cannot stand above the lines that are held.
  #sayAbove(below: Below, text: string): void {
    const end = text.lastIndexOf('\n') + 1;
    const lines = this.#unfinished + text.slice(0, end);
    this.#unfinished = end === 0 ? lines + text : text.slice(end);
    if (end === 0) return;
    below.hide();
    this.#options.data.write(lines);
    below.show();
  }

  #draw(): void {
    if (!this.#isAnimated || this.#isPaused || !this.#isLineStart || !this.#work) return;
    const { messages, colours, now } = this.#options;
    this.#frame = (this.#frame + 1) % frames.length;
    const time = ` ${duration(now() - this.#work.since)}`;
    const words = fit(plainLine(this.#work.words), (messages.columns || 80) - 4 - time.length);
    messages.write(`${clearLine}${colours.cyan(frames[this.#frame] ?? '')} ${words}${colours.dim(time)}`);
    this.#isDrawn = true;
  }

  #clear(): void {
    if (!this.#isDrawn) return;
    this.#options.messages.write(clearLine);
    this.#isDrawn = false;
  }
}
