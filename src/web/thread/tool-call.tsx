import { type ReactNode, useState } from 'react';
import { seenFolder } from '../../domain/container/seen-folder.js';
import { duration } from '../../domain/words/age.js';
import { ranWords } from '../../domain/words/changed-input.js';
import { toolWords } from '../../domain/words/tool-words.js';
import type { ThreadId } from '../../protocol/id.js';
import type { ThreadItem } from '../../protocol/thread-item.js';
import { useNow } from '../clock.js';
import { useConsole } from '../console-context.js';
import { ToolInput } from '../parts/tool-input.js';
import { ToolOutput } from './tool-output.js';

type Call = Extract<ThreadItem, { type: 'tool_call' }>;

export interface ToolCallProps {
  readonly threadId: ThreadId;
  readonly call: Call;
  readonly inside: number;
  readonly isFolded: boolean;
  readonly onFold: () => void;
}

/** A tool call in one line; opened, with its input, output and, folded or not, what a sub-agent did in it. */
export function ToolCallView({ threadId, call, inside, isFolded, onFold }: ToolCallProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { overview } = useConsole();
  const folder = seenFolder(overview.overview.threads.get(threadId));
  const { params, ranWith, result } = call;
  return (
    <div className="tool">
      <div className="tool-head">
        <button type="button" className="tool-line" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <ToolSign call={call} />
          <span className="tool-words">{callWords(call, folder)}</span>
          <span className="note">
            {result ? (
              duration(result.durationMs)
            ) : call.isAsked ? (
              'waits for the answer'
            ) : (
              <Running since={call.timestamp} />
            )}
          </span>
        </button>
        {inside > 0 && (
          <button type="button" className="plain" aria-expanded={!isFolded} onClick={onFold}>
            {isFolded ? `Show ${inside} inside` : 'Fold'}
          </button>
        )}
      </div>
      {isOpen && (
        <div className="tool-body">
          {params ? (
            <ToolInput input={params} />
          ) : (
            <p className="note">Starts above · Load earlier events to see its input.</p>
          )}
          {ranWith && (
            <section aria-label="What ran">
              <p className="note">It ran with this in place of what the agent had proposed:</p>
              <ToolInput input={ranWith} />
            </section>
          )}
          {result && <ToolOutput threadId={threadId} toolUseId={call.toolUseId} result={result} />}
        </div>
      )}
    </div>
  );
}

function callWords({ tool, params = {}, ranWith }: Call, folder: string | undefined): string {
  return ranWith
    ? ranWords(tool, { proposed: params, ran: ranWith }, folder)
    : toolWords(tool, params, folder);
}

function ToolSign({ call: { result, isAsked } }: { readonly call: Call }): ReactNode {
  if (!result && isAsked) return <span className="tool-sign tone-ask">○</span>;
  if (!result)
    return (
      <span className="tool-sign tone-work">
        ● <span className="unseen">running</span>
      </span>
    );
  return result.success ? (
    <span className="tool-sign tone-good">
      ✓ <span className="unseen">succeeded</span>
    </span>
  ) : (
    <span className="tool-sign tone-bad">
      ✗ <span className="unseen">failed</span>
    </span>
  );
}

function Running({ since }: { readonly since: string }): ReactNode {
  const now = useNow(useConsole().clock);
  return <>{duration(Math.max(0, now - Date.parse(since)))}…</>;
}
