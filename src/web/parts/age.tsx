import type { ReactNode } from 'react';
import { age } from '../../domain/age.js';
import { useNow } from '../clock.js';
import { useOutside } from '../outside.js';

/** How long ago something was; the exact time is its title. */
export function Age({ at }: { readonly at: string }): ReactNode {
  const { clock } = useOutside();
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {age(at, useNow(clock))}
    </time>
  );
}
