// The worker's store and HTTP server in this process, with events that the bench commits at the pace it wants, and a browser.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeHost } from '../../dist/compose.js';
import { LiveFeed } from '../../dist/host/feeds/live-feed.js';
import { OpenPort } from '../../dist/http/open-port.js';
import { serve } from '../../dist/http/server.js';
import { launchBrowser } from '../../scripts/browser.js';
import { threadRow } from '../shared/rows.js';

/** @typedef {import('../../dist/protocol/index.js').ThreadId} ThreadId */

export async function openStage() {
  const home = mkdtempSync(join(tmpdir(), 'handraise-bench-web-'));
  const settings = { slots: 1, retries: 0, idleTimeoutMinutes: 15, keepSpare: false };
  const { host, store, ...composed } = await composeHost({
    home,
    settings,
    env: process.env,
    log: console.error,
  });
  const feed = new LiveFeed();
  const port = await OpenPort.open({ port: 0, bind: '127.0.0.1', allowedHosts: [] });
  const served = serve({
    proofSecret: 'p'.repeat(43),
    host: { ...host, feed },
    home,
    port,
    allowedHosts: [],
    undoSeconds: 5,
    version: 'bench',
    now: Date.now,
    randomBytes,
    log: console.error,
    console: fileURLToPath(new URL('../../dist/web/', import.meta.url)),
    isAgent: () => false,
    callers: () => [],
    onShutdown: () => {},
  });
  const browser = await launchBrowser(home);
  /** @type {Map<ThreadId, number>} */
  const lastSeqs = new Map();

  return {
    url: port.url,
    /** A page of a signed-in browser; what is cached is forgotten with it. */
    async page() {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      const following = page.waitForResponse(
        (response) => response.url().endsWith('/api/v1/overview') && response.ok(),
      );
      await page.goto(served.loginLink());
      await following;
      return page;
    },
    /** @param {string} title */
    async thread(title) {
      const thread = threadRow({ path: `/projects/${title}`, createdAt: new Date().toISOString(), title });
      await store.commit({ operations: [{ do: 'insertThread', thread }] });
      const { id } = thread;
      lastSeqs.set(id, 0);
      return id;
    },
    /**
     * Commits events to a thread and tells of them, as the recorder does.
     * @param {ThreadId} threadId
     * @param {number} count
     */
    async append(threadId, count) {
      const before = lastSeqs.get(threadId) ?? 0;
      const events = Array.from({ length: count }, (_, index) => eventOf(before + index + 1));
      await store.commit({ operations: [{ do: 'appendEvents', threadId, events }] });
      lastSeqs.set(threadId, before + count);
      feed.publish(
        threadId,
        events.map((event, index) => ({
          ...event,
          threadId,
          seq: before + index + 1,
          runId: null,
          runSeq: null,
        })),
      );
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await served[Symbol.asyncDispose]();
      await composed[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * What an agent tells: paragraphs, calls and their results.
 * @param {number} seq
 */
function eventOf(seq) {
  const timestamp = new Date().toISOString();
  const id = `call-${Math.floor(seq / 4)}`;
  const kinds = [
    {
      type: 'assistant_text',
      content: `Paragraph **${seq}** of \`the work\`, with a [link](https://example.com).\n\n`,
    },
    { type: 'tool_start', id, tool: 'Bash', params: { command: `npm test -- --shard ${seq}` } },
    { type: 'tool_end', id, tool: 'Bash', success: true, summary: `${seq} passed`, duration: 120 },
    { type: 'notice', message: `line ${seq}` },
  ];
  const fields = kinds[seq % 4] ?? { type: 'notice', message: '' };
  return { type: fields.type, timestamp, json: JSON.stringify({ ...fields, timestamp }) };
}
