import { useCallback, useEffect, useRef, useState } from 'react';
import type { Client } from '../../client/client.js';
import type { ChangedPath, ChangePage, Hunk } from '../../protocol/changes.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { DispatchId, ThreadId } from '../../protocol/id.js';
import { useConsole } from '../console-context.js';

/** What is changed, without its lines. */
export interface ChangeList extends Omit<ChangePage, 'next'> {
  readonly files: readonly ChangedPath[] & ChangedPath[];
}

/** The lines of a file, or why they could not be read. */
export type FileLines = readonly Hunk[] | { readonly failure: string };

export interface Changes {
  readonly list: ChangeList | undefined;
  readonly failure: string | undefined;
  readonly lines: ReadonlyMap<string, FileLines>;
  /** Whether files have changed since the list was read. */
  readonly isStale: boolean;
  readonly isReading: boolean;
  /** Asks for the lines of these files, as they come onto the screen. */
  readonly want: (paths: readonly string[]) => void;
  readonly readAgain: () => void;
  /** Somebody has seen that files changed since. */
  readonly markStale: () => void;
}

// So few files are read with all of their lines at once.
const fewFiles = 60;
const atOnce = 3;

/** What the agent of a thread changed: the list first, then the lines of files when they are wanted. Work that ended since makes it stale. */
export function useChanges(threadId: ThreadId, ended: DispatchId | undefined): Changes {
  const { client } = useConsole();
  const [round, setRound] = useState(0);
  const [list, setList] = useState<ChangeList>();
  const [failure, setFailure] = useState<string>();
  const [isReading, setReading] = useState(true);
  const [isStale, setStale] = useState(false);
  const [lines, setLines] = useState<ReadonlyMap<string, FileLines>>(new Map());
  const reader = useRef<LineReader>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round reads again
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const begin = async () => {
      setReading(true);
      try {
        const found = await readList(client, threadId);
        if (signal.aborted) return;
        reader.current = new LineReader({
          read: (path) => readLines(client, threadId, path),
          revision: found.revision,
          tell: (path, read) => !signal.aborted && setLines((known) => new Map(known).set(path, read)),
          stale: () => !signal.aborted && setStale(true),
        });
        setLines(new Map());
        setList(found);
        setStale(false);
        setFailure(undefined);
        if (found.files.length <= fewFiles)
          reader.current.want(found.files.filter(({ binary }) => !binary).map(({ path }) => path));
      } catch (error) {
        if (!signal.aborted) setFailure(errorSentence(error));
      } finally {
        if (!signal.aborted) setReading(false);
      }
    };
    void begin();
    return () => ending.abort();
  }, [client, threadId, round]);

  const endedBefore = useRef(ended);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read now is of the work that is known now
  useEffect(() => {
    endedBefore.current = ended;
  }, [round]);
  useEffect(() => {
    if (ended !== undefined && ended !== endedBefore.current) setStale(true);
  }, [ended]);

  const want = useCallback((paths: readonly string[]) => reader.current?.want(paths), []);
  const readAgain = useCallback(() => setRound((before) => before + 1), []);
  const markStale = useCallback(() => setStale(true), []);
  return { list, failure, lines, isStale, isReading, want, readAgain, markStale };
}

async function readList(client: Client, threadId: ThreadId): Promise<ChangeList> {
  const files: ChangedPath[] = [];
  let first: ChangePage | undefined;
  for await (const page of client.threads.allChanges(threadId, { limit: 1000 })) {
    first ??= page;
    files.push(...page.files);
  }
  if (!first) throw new Error('The worker gave no changes.');
  const { next: _next, ...rest } = first;
  return { ...rest, files };
}

async function readLines(
  client: Client,
  threadId: ThreadId,
  path: string,
): Promise<{ readonly revision: string; readonly lines: FileLines }> {
  const { revision, files } = await client.threads.changes(threadId, { path, hunks: true });
  const file = files.find((each) => each.path === path);
  return { revision, lines: file?.hunks ?? { failure: file?.cut ?? 'This file is not changed any more.' } };
}

interface LineReaderParts {
  readonly read: (path: string) => Promise<{ readonly revision: string; readonly lines: FileLines }>;
  readonly revision: string;
  readonly tell: (path: string, lines: FileLines) => void;
  readonly stale: () => void;
}

/** Reads the lines of files, a few at a time, what was asked for last first: it is what is on the screen. */
class LineReader {
  readonly #parts: LineReaderParts;
  readonly #asked = new Set<string>();
  readonly #waiting: string[] = [];
  #reading = 0;

  constructor(parts: LineReaderParts) {
    this.#parts = parts;
  }

  want(paths: readonly string[]): void {
    const fresh = paths.filter((path) => !this.#asked.has(path));
    for (const path of fresh) this.#asked.add(path);
    this.#waiting.unshift(...fresh);
    while (this.#reading < atOnce && this.#waiting.length > 0) void this.#readNext();
  }

  async #readNext(): Promise<void> {
    this.#reading += 1;
    for (let path = this.#waiting.shift(); path !== undefined; path = this.#waiting.shift()) {
      const { read, tell, stale, revision } = this.#parts;
      try {
        const found = await read(path);
        tell(path, found.lines);
        if (found.revision !== revision) stale();
      } catch (error) {
        tell(path, { failure: errorSentence(error) });
      }
    }
    this.#reading -= 1;
  }
}
