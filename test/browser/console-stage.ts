import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { Client } from '../../dist/client/index.js';
import type { Dispatch, DispatchRequest } from '../../src/protocol/dispatch.js';
import type { PromptId, ThreadId } from '../../src/protocol/id.js';
import type { Prompt } from '../../src/protocol/prompt.js';
import type { Thread } from '../../src/protocol/thread.js';
import { openStage, type Stage } from '../harness/stage.js';
import { eventually } from '../harness/wait-until.js';
import { type OpenedBrowser, openBrowser } from './browser.js';

const program = new URL('../../bin/handraise.js', import.meta.url).pathname;

const longestTold = 2000;

export interface ConsoleStageOptions {
  /** Settings of the worker, as its environment has them. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A real worker with its console, a real agent with a scripted model, and a real browser. */
export class ConsoleStage implements AsyncDisposable {
  readonly stage: Stage;
  readonly home: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #browser: OpenedBrowser;
  readonly #contexts = new Set<BrowserContext>();
  #worker: ChildProcess | null = null;
  #url = '';
  #folders = 0;

  private constructor(stage: Stage, browser: OpenedBrowser, options: ConsoleStageOptions) {
    this.stage = stage;
    this.home = join(stage.home, 'handraise');
    this.#browser = browser;
    // Answers count at once, unless a test is about undoing them.
    this.#env = { ...stage.env, HANDRAISE_HOME: this.home, HANDRAISE_UNDO_SECONDS: '0', ...options.env };
  }

  static async open(options: ConsoleStageOptions = {}): Promise<ConsoleStage> {
    const [stage, browser] = await Promise.all([openStage('claude'), openBrowser()]);
    const at = new ConsoleStage(stage, browser, options);
    await at.start('0');
    return at;
  }

  get url(): string {
    return this.#url;
  }

  /** The worker as its owner speaks to it, beside the browser. */
  get client(): Client {
    return this.clientOf(readFileSync(join(this.home, 'token'), 'utf8').trim());
  }

  clientOf(token: string): Client {
    return new Client({ url: this.#url, token });
  }

  async start(port = new URL(this.#url).port): Promise<void> {
    const worker = spawn(process.execPath, [program, 'up', '--port', port, '--json'], {
      cwd: this.stage.workspace,
      env: { ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let told = '';
    worker.stderr.on('data', (chunk) => (told = `${told}${String(chunk)}`.slice(-longestTold)));
    // One that ends instead, because somebody took its port for instance, would be waited for until the test is a hang.
    const ended = once(worker, 'exit').then(([code]) => {
      throw new Error(`The worker ended with ${String(code)} before it was ready: ${told}`);
    });
    const ready = once(createInterface(worker.stdout), 'line');
    const [line] = (await Promise.race([ready, ended])) as [string];
    this.#worker = worker;
    this.#url = (JSON.parse(line) as { url: string }).url;
  }

  /** Starts the worker where a test left it stopped, so that the next one does not fail for its sake. */
  async startAgain(): Promise<void> {
    if (!this.#worker) await this.start();
  }

  /** Ends the worker and no agent. */
  async stop(): Promise<void> {
    if (!this.#worker) return;
    const gone = once(this.#worker, 'exit');
    this.#worker.kill('SIGKILL');
    await gone;
    this.#worker = null;
  }

  /** What a command of the program prints. */
  async run(...args: string[]): Promise<string> {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.stage.workspace,
      env: { ...this.#env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => (text += String(chunk)));
    await once(child, 'close');
    return text.trim();
  }

  /** A page in a browser of its own that is not signed in. */
  async strangerPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.browser.newContext({
      viewport: { width: 1280, height: 800 },
      ...options,
    });
    this.#contexts.add(context);
    // Only a hang is ended, with the sentence that says what was waited for.
    context.setDefaultTimeout(5 * 60_000);
    context.setDefaultNavigationTimeout(0);
    return await context.newPage();
  }

  /** A page that is signed in and stands at a path. */
  async page(path = '/', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.strangerPage(options);
    await signIn(page, await this.client.loginLink());
    if (path !== '/') await page.goto(`${this.#url}${path}`);
    return page;
  }

  /** Leaves every page, so that the next test begins with none. */
  async closePages(): Promise<void> {
    await Promise.all(Array.from(this.#contexts, (context) => context.close()));
    this.#contexts.clear();
  }

  /** A new empty workspace. */
  folder(name?: string): string {
    this.#folders += 1;
    const path = join(this.stage.home, name ?? `work-${this.#folders}`);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** Gives work to a thread of its own. */
  async work(text: string, request: Partial<DispatchRequest> = {}): Promise<Dispatch> {
    const place = request.thread || request.workspace ? {} : { workspace: { path: this.folder() } };
    return await this.client.dispatches.submit({ text, ...place, ...request });
  }

  async thread(id: ThreadId, isSo: (thread: Thread) => boolean): Promise<Thread> {
    return await eventually('the thread is as wanted', () => this.client.threads.get(id), isSo);
  }

  async prompt(id: PromptId, isSo: (prompt: Prompt) => boolean): Promise<Prompt> {
    return await eventually('the prompt is as wanted', () => this.client.prompts.get(id), isSo);
  }

  /** The open prompts of a thread, once there is one. */
  async asked(thread: ThreadId): Promise<Prompt> {
    const [prompt] = await eventually(
      'the thread asks',
      () => this.client.prompts.open({ thread }),
      (prompts) => prompts.length > 0,
    );
    if (!prompt) throw new Error('unreachable');
    return prompt;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser[Symbol.asyncDispose]();
    await this.startAgain();
    const worker = this.#worker;
    const gone = worker && once(worker, 'exit');
    await this.client.shutdown({ stopAgents: true });
    await gone;
    await this.stage[Symbol.asyncDispose]();
  }
}

/** Opens a login link; the page is signed in once it follows the worker. */
export async function signIn(page: Page, link: string): Promise<void> {
  const following = page.waitForResponse(
    (response) => response.url().endsWith('/api/v1/overview') && response.ok(),
  );
  await page.goto(link);
  await following;
}

/** Waits until the prompt on a page has been there for the moment before which no decision counts. */
export async function steady(page: Page): Promise<void> {
  await page.locator('.prompt-foot[aria-busy="false"]').waitFor();
}
