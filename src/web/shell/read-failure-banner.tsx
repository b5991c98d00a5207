import type { ReactNode } from 'react';
import { plainLine } from '../../domain/words/plain-text.js';
import { forgetReadFailure, useReadFailure } from '../parts/read-failure.js';

/** Says what of the page could not be read, which would otherwise look as if there were nothing. */
export function ReadFailureBanner(): ReactNode {
  const failure = useReadFailure();
  return (
    <div role="status" className={failure === undefined ? 'banner banner-empty' : 'banner is-bad'}>
      {failure !== undefined && (
        <>
          Something on this page could not be read: {plainLine(failure, { maxLength: 300 })}{' '}
          <button type="button" onClick={() => location.reload()}>
            Refresh
          </button>{' '}
          <button type="button" className="plain" onClick={forgetReadFailure}>
            Close
          </button>
        </>
      )}
    </div>
  );
}
