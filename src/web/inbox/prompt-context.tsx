import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { itemText } from '../../domain/thread/item-text.js';
import { ItemFold } from '../../domain/thread/thread-items.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { isPromptTool } from '../../domain/words/prompt-tool.js';
import { toolWords } from '../../domain/words/tool-words.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { ThreadItem } from '../../protocol/thread-item.js';
import { useConsole } from '../console-context.js';
import { Markdown } from '../parts/markdown.js';
import { readFailed } from '../parts/read-failure.js';

const looksBack = 100;
const shown = 4;
const shownTypes = new Set<ThreadItem['type']>(['user_text', 'assistant_text', 'tool_call']);

/** What the agent was doing when it asked: the last things before its question. */
export function PromptContext({ prompt }: { readonly prompt: Prompt }): ReactNode {
  const { client, overview } = useConsole();
  const { id, kind, threadId } = prompt;
  const [items, setItems] = useState<readonly ThreadItem[]>([]);
  useEffect(() => {
    let isWanted = true;
    const read = async () => {
      const { lastSeq } = overview.overview.threads.get(threadId) ?? (await client.threads.get(threadId));
      const fold = new ItemFold();
      const after = Math.max(0, lastSeq - looksBack);
      for await (const event of client.threads.storedEvents(threadId, { after, upTo: lastSeq }))
        fold.add(event);
      if (isWanted) setItems(before(fold.items, { id, kind }));
    };
    read().catch(readFailed);
    return () => {
      isWanted = false;
    };
  }, [client, overview, threadId, id, kind]);
  const section = useRef<HTMLElement>(null);
  // What was last before the question says most about it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: to the end of what was read
  useLayoutEffect(() => {
    section.current?.scrollTo(0, section.current.scrollHeight);
  }, [items]);
  if (items.length === 0) return null;
  return (
    <section ref={section} className="prompt-context" aria-label="Before the question">
      {items.map((item) => (
        <ContextItem key={item.seq} item={item} />
      ))}
    </section>
  );
}

function before(items: readonly ThreadItem[], { id, kind }: Pick<Prompt, 'id' | 'kind'>): ThreadItem[] {
  const asked = items.findIndex((item) => item.type === 'prompt' && item.metadata.prompt.prompt_id === id);
  const told = (asked < 0 ? items : items.slice(0, asked)).filter(
    (item) => shownTypes.has(item.type) && !(item.type === 'tool_call' && isPromptTool(item.tool)),
  );
  // The last call is the one that asks for approval.
  const isAsking = kind === 'approval' && told.at(-1)?.type === 'tool_call';
  return (isAsking ? told.slice(0, -1) : told).slice(-shown);
}

function ContextItem({ item }: { readonly item: ThreadItem }): ReactNode {
  switch (item.type) {
    case 'user_text':
      return <p className="context-user">{plainLine(itemText(item))}</p>;
    case 'assistant_text':
      return <Markdown text={itemText(item)} />;
    case 'tool_call': {
      const sign = item.result ? (item.result.success ? '✓' : '✗') : '…';
      return (
        <p className="context-tool">
          {sign} {toolWords(item.tool, item.params ?? {})}
        </p>
      );
    }
    default:
      return null;
  }
}
