import { type ReactNode, useState } from 'react';
import { useConsole } from '../console-context.js';
import { codeOf } from '../place.js';
import { useSignIn } from './sign-in.js';

/** How to get a login link, and a field for it. */
export function SignInForm(): ReactNode {
  const { client, signIn } = useConsole();
  const { failure } = useSignIn(signIn);
  const [link, setLink] = useState('');
  const [isSending, setSending] = useState(false);
  const send = async () => {
    setSending(true);
    await signIn.redeem(client, codeOf(link));
    setSending(false);
  };
  return (
    <>
      <p>
        Run this command in a terminal on the worker’s machine. Open the link that it prints in this browser,
        or paste it here. The link works once.
      </p>
      <pre>
        <code>handraise token link</code>
      </pre>
      <form
        className="sign-in-form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <input
          aria-label="Login link"
          placeholder="http://…/#login=…"
          autoComplete="off"
          value={link}
          onChange={(event) => setLink(event.target.value)}
        />
        <button type="submit" className="primary" disabled={link.trim() === '' || isSending}>
          Sign in
        </button>
      </form>
      <p className="note is-bad" role="status">
        {failure}
      </p>
    </>
  );
}
