import { useEffect, useState } from 'react';
import { searchWords } from '../../domain/thread/search-words.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { useConsole } from '../console-context.js';
import { type Filter, type Found, noneFound } from './filter.js';

// A person who types asks for what they have not finished typing.
const typingMs = 250;
const mostFound = 1000;

/** What the worker found for a filter; `isAsking` until it has answered. */
export interface Search {
  readonly found: Found;
  readonly isAsking: boolean;
  /** Why it could not be asked, as a sentence. */
  readonly problem?: string;
}

const nothingAsked: Search = { found: noneFound, isAsking: false };

/** Asks the worker for what only it knows: the words inside of threads, and labels. */
export function useFound({ text, label, group }: Filter): Search {
  const { client } = useConsole();
  const [search, setSearch] = useState(nothingAsked);
  const hasWords = searchWords(text).length > 0;
  const isAsked = hasWords || label !== '';
  const isArchived = group === 'archived';
  useEffect(() => {
    let isOver = false;
    const ask = async () => {
      try {
        const { threads, matches = [] } = await client.threads.list({
          limit: mostFound,
          order: 'newest_first',
          ...(hasWords && { search: text }),
          ...(label !== '' && { label: [label] }),
          ...(isArchived && { archived: 'only' as const }),
        });
        const excerpts = new Map(
          matches.map(({ threadId, seq, excerpt }) => [threadId, seq === undefined ? '' : excerpt]),
        );
        const found = new Map(threads.map(({ id }) => [id, excerpts.get(id) ?? '']));
        if (!isOver) setSearch({ found, isAsking: false });
      } catch (error) {
        if (!isOver) setSearch({ ...nothingAsked, problem: errorSentence(error) });
      }
    };
    setSearch((before) => (isAsked ? { ...before, isAsking: true } : nothingAsked));
    const timer = isAsked ? setTimeout(() => void ask(), typingMs) : undefined;
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, text, label, hasWords, isAsked, isArchived]);
  return search;
}
