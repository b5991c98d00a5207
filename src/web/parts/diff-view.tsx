import type { ReactNode } from 'react';
import { plainText } from '../../domain/plain-text.js';
import type { DiffLine } from './diff-line.js';

const signs = { same: ' ', added: '+', removed: '-', head: ' ' } as const;
const words = { same: '', added: 'added: ', removed: 'removed: ', head: '' } as const;

/** A difference with a sign and a colour for each line; what is too long is said to be. */
export function DiffView({
  lines,
  most = 400,
}: {
  readonly lines: readonly DiffLine[];
  readonly most?: number;
}): ReactNode {
  const rest = lines.length - most;
  return (
    <pre className="diff" tabIndex={0} role="region" aria-label="Difference">
      {lines.slice(0, most).map((line, index) => (
        <span key={index} className={`diff-line diff-${line.kind}`}>
          <span aria-hidden="true">{signs[line.kind]} </span>
          <span className="unseen">{words[line.kind]}</span>
          {plainText(line.text)}
          {'\n'}
        </span>
      ))}
      {rest > 0 && <span className="diff-line diff-head">… {rest} more lines</span>}
    </pre>
  );
}
