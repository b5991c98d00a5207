import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { useConsole } from '../console-context.js';
import { type Place, pathOf } from '../place.js';

/** A link inside the console; with a modifier key it opens as any other link does. */
export function Link({
  to,
  ...rest
}: { readonly to: Place } & AnchorHTMLAttributes<HTMLAnchorElement>): ReactNode {
  const { navigation } = useConsole();
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    navigation.go(to);
  };
  return <a {...rest} href={pathOf(to)} onClick={follow} />;
}
