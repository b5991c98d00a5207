import { useEffect } from 'react';
import type { PromptId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import { useConsole } from '../console-context.js';
import { useOverview } from '../overview/use-overview.js';

/** A prompt by its id; one that the overview does not tell of, because it was settled before, is fetched. */
export function usePrompt(id: PromptId | undefined): Prompt | undefined {
  const { client, overview: store } = useConsole();
  const { prompts, isPresent } = useOverview(store);
  const known = id === undefined ? undefined : prompts.get(id);
  const isMissing = isPresent && id !== undefined && known === undefined;
  useEffect(() => {
    if (!isMissing) return;
    client.prompts.get(id).then(
      (prompt) => store.know(prompt),
      () => {},
    );
  }, [client, store, id, isMissing]);
  return known;
}
