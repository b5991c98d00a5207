import { useEffect, useState } from 'react';
import type { ConsoleSettings } from '../protocol/api.js';
import { useConsole } from './console-context.js';
import { readFailed } from './parts/read-failure.js';
import { useSignIn } from './sign-in/sign-in.js';

/** Whose browser this is, and how long an answer can be undone; undefined until the worker has told. */
export function useConsoleSettings(): ConsoleSettings | undefined {
  const { client, signIn } = useConsole();
  const { secret } = useSignIn(signIn);
  const [settings, setSettings] = useState<ConsoleSettings>();
  useEffect(() => {
    client.consoleSettings().then(setSettings, readFailed);
  }, [client, secret]);
  return settings;
}
