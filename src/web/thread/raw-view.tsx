import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef, useState } from 'react';
import type { Client } from '../../client/client.js';
import { plainText } from '../../domain/words/plain-text.js';
import type { FeedView, ThreadFeed } from '../../live/thread-feed.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { Thread } from '../../protocol/thread.js';
import { useConsole } from '../console-context.js';

const progressEvery = 1000;

/** The events themselves, as they are stored, and all of them as a file. */
export function RawView({
  thread,
  feed,
  view,
}: {
  readonly thread: Thread;
  readonly feed: ThreadFeed;
  readonly view: FeedView;
}): ReactNode {
  const { client } = useConsole();
  const scroller = useRef<HTMLDivElement>(null);
  const [state, setState] = useState('');
  const { events } = view;
  const virtualizer = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 24,
    getItemKey: (index) => events[index]?.seq ?? index,
    overscan: 10,
  });
  const download = async () => {
    try {
      const lines = await everyEvent(client, thread, (read) =>
        setState(`Read ${read} of ${thread.lastSeq} events…`),
      );
      save(`${thread.id}.jsonl`, lines);
      setState('');
    } catch (error) {
      setState(errorSentence(error));
    }
  };
  return (
    <div className="raw">
      <p className="note">
        <button type="button" onClick={() => void download()}>
          Download as JSONL
        </button>{' '}
        {view.from > 1 && (
          <button
            type="button"
            className="plain"
            disabled={view.isReading}
            onClick={() => void feed.readEarlier()}
          >
            Load {view.from - 1} earlier events
          </button>
        )}{' '}
        <span role="status">{state}</span>
      </p>
      <div ref={scroller} className="scroller" tabIndex={0} role="region" aria-label="Events">
        <div className="virtual" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => (
            <code
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className="virtual-line raw-line"
              style={{ transform: `translateY(${start}px)` }}
            >
              {plainText(JSON.stringify(events[index]))}
            </code>
          ))}
        </div>
      </div>
    </div>
  );
}

async function everyEvent(client: Client, thread: Thread, tell: (read: number) => void): Promise<string[]> {
  const lines: string[] = [];
  for await (const event of client.threads.storedEvents(thread.id)) {
    lines.push(`${JSON.stringify(event)}\n`);
    if (lines.length % progressEvery === 0) tell(lines.length);
  }
  return lines;
}

function save(name: string, lines: string[]): void {
  const url = URL.createObjectURL(new Blob(lines, { type: 'application/x-ndjson' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
