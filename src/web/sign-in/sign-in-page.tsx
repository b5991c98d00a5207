import './sign-in.css';
import { type ReactNode, useEffect, useRef } from 'react';
import { Brand } from '../shell/brand.js';
import { SignInForm } from './sign-in-form.js';

/** What a browser sees that is not signed in: how to sign in. */
export function SignInPage({ isOver }: { readonly isOver: boolean }): ReactNode {
  return (
    <main className="sign-in">
      <Brand />
      <h1>Sign in</h1>
      <p>
        {isOver
          ? 'Your sign-in has ended. It lasts until twelve hours after its last use, or as long as the token it came from.'
          : 'This browser is not signed in.'}
      </p>
      <SignInForm />
    </main>
  );
}

/** Lies over the page of somebody whose sign-in has ended; under it everything stays as it was. */
export function SignInDialog(): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="sign-in sign-in-again"
      aria-labelledby="sign-in-again"
      onCancel={(event) => event.preventDefault()}
    >
      <Brand />
      <h1 id="sign-in-again">Sign in again</h1>
      <p>
        Your sign-in has ended. It lasts until twelve hours after its last use, or as long as the token it
        came from. What you typed is kept, and this page continues once you are signed in.
      </p>
      <SignInForm />
    </dialog>
  );
}
