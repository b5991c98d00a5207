import { createContext, type ReactNode, useContext } from 'react';
import { Scope } from '../protocol/scope.js';

/** What whoever is signed in may do; everything until the worker has told, which refuses the rest anyway. */
export const RightsContext = createContext<readonly Scope[]>(Scope.options);

export function useMay(scope: Scope): boolean {
  return useContext(RightsContext).includes(scope);
}

/** What is only there for somebody who may use it. */
export function Only({ to, children }: { readonly to: Scope; readonly children: ReactNode }): ReactNode {
  return useMay(to) ? children : null;
}
