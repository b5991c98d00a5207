import { useCallback, useState } from 'react';
import type { Client } from '../../client/client.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { useConsole } from '../console-context.js';

/** Something asked of the worker, one at a time, with what went wrong. */
export interface Control {
  readonly isActing: boolean;
  readonly failure: string | undefined;
  readonly act: (ask: (client: Client) => Promise<unknown>) => void;
}

export function useControl(): Control {
  const { client } = useConsole();
  const [isActing, setActing] = useState(false);
  const [failure, setFailure] = useState<string>();
  const act = useCallback<Control['act']>(
    (ask) => {
      const run = async () => {
        setActing(true);
        setFailure(undefined);
        try {
          await ask(client);
        } catch (error) {
          setFailure(errorSentence(error));
        } finally {
          setActing(false);
        }
      };
      void run();
    },
    [client],
  );
  return { isActing, failure, act };
}
