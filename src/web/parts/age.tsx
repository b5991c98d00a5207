import type { ReactNode } from 'react';
import { age } from '../../domain/words/age.js';
import { useNow } from '../clock.js';
import { useConsole } from '../console-context.js';

/** How long ago something was; the exact time is its title. */
export function Age({ at }: { readonly at: string }): ReactNode {
  const { clock } = useConsole();
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {age(at, useNow(clock))}
    </time>
  );
}
