import './sign-in.css';
import type { ReactNode } from 'react';
import { Brand } from '../shell/brand.js';

/** What a browser sees that has no session: how to get one. */
export function SignInPage({ failure }: { readonly failure: string | undefined }): ReactNode {
  return (
    <main className="sign-in">
      <Brand />
      <h1>Sign in</h1>
      <p>
        This browser is not signed in. Run this in a terminal on the worker’s machine and open the link that
        it prints; it works once.
      </p>
      <pre>
        <code>handraise token link</code>
      </pre>
      <p className="note is-bad" role="status">
        {failure}
      </p>
      <button type="button" onClick={() => location.reload()}>
        Try again
      </button>
    </main>
  );
}
