import { setTimeout as delay } from 'node:timers/promises';
import { findProcess, loadObserving } from '../../compose.js';
import { noSigns } from '../../domain/status/agent-signs.js';
import { endedStatus, observe, observedStatus, signsOf } from '../../domain/status/observed-status.js';
import { given } from '../../protocol/given.js';
import type { ProcessIdentity } from '../../protocol/run.js';
import type { StatusEvidence, StatusReport } from '../../protocol/status.js';
import type { ObservedFacts, ObserverReports } from './observer-reports.js';

const livesMs = 500;
const looksMs = 200;
const againMs = 2000;

type News = Awaited<ReturnType<typeof loadObserving>>['lineNews'] extends (value: unknown) => infer Found
  ? Found
  : never;

/** An agent that tells in lines what it does; where its process is known, it is seen when that ends. */
export async function observeLines(
  reports: ObserverReports,
  {
    id,
    facts,
    source,
    lines,
    process,
    stop,
  }: {
    readonly id: string;
    readonly facts: ObservedFacts;
    readonly source: string;
    readonly lines: AsyncIterable<string>;
    readonly process: ProcessIdentity | undefined;
    readonly stop: AbortController;
  },
): Promise<void> {
  const { lineNews } = await loadObserving();
  let signs = noSigns;
  let asked: string | undefined;
  reports.tell(id, facts, observedStatus(signs));
  const watching = process ? untilGone(process, stop) : undefined;
  for await (const line of lines) {
    const news = lineNews(parsed(line));
    signs = observe(signs, evidenceOf(news, source));
    asked = news.fact === 'said_asking' ? news.asked : asked;
    reports.tell(id, facts, observedStatus(signs, asked));
    if (stop.signal.aborted) break;
  }
  if ((await watching) === 'gone') reports.tell(id, facts, endedStatus(signs));
}

/** All sessions of an OpenCode server. */
export async function observeServer(
  reports: ObserverReports,
  { url, password, id, stop }: { url: string; password: string; id: string; stop: AbortController },
): Promise<void> {
  const { ObservedServer } = await loadObserving();
  const server = new ObservedServer(url, password);
  let isDue = true;
  let known = new Map<string, ObservedFacts>();
  const look = async () => {
    const sessions = await server.look(Date.now());
    known = new Map();
    for (const { sessionId, title, workspace, ...news } of sessions) {
      const facts: ObservedFacts = { runtime: 'opencode', title, sessionId, ...given({ workspace }) };
      const sessionKey = `${id}-${sessionId.replaceAll(/[^\w-]/g, '_')}`.slice(0, 100);
      known.set(sessionKey, facts);
      const evidence = [news.retry && { ...news, fact: 'model_retried' as const }, news];
      const signs = signsOf(evidence.flatMap((each) => (each ? [evidenceOf(each, 'opencode.server')] : [])));
      reports.tell(sessionKey, facts, observedStatus(signs, news.asked));
    }
    reports.keepOnly(new Set(known.keys()));
  };
  while (!stop.signal.aborted) {
    try {
      await look();
      const events = server.events();
      stop.signal.addEventListener('abort', () => void events.return(undefined));
      const looking = setInterval(() => {
        if (!isDue) return;
        isDue = false;
        look().catch(() => {});
      }, looksMs);
      try {
        for await (const _ of events) isDue = true;
      } finally {
        clearInterval(looking);
      }
    } catch {
      // It is looked for again.
    }
    if (stop.signal.aborted) break;
    for (const [sessionKey, facts] of known) reports.tell(sessionKey, facts, silentServer);
    await delay(againMs, undefined, { signal: stop.signal }).catch(() => {});
    isDue = true;
  }
}

const silentServer: StatusReport = {
  state: 'unknown',
  why: 'its server does not answer',
  source: 'opencode.server',
  confidence: 'strong',
};

function evidenceOf({ fact, retry }: Pick<News, 'fact' | 'retry'>, source: string): StatusEvidence {
  return { fact, source, confidence: 'strong', at: new Date().toISOString(), ...given({ retry }) };
}

async function untilGone(process: ProcessIdentity, stop: AbortController): Promise<'gone' | 'stopped'> {
  while (!stop.signal.aborted) {
    if (!findProcess(process)) {
      stop.abort();
      return 'gone';
    }
    await delay(livesMs, undefined, { signal: stop.signal }).catch(() => {});
  }
  return 'stopped';
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
