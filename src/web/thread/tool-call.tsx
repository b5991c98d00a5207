import { type ReactNode, useState } from 'react';
import { duration } from '../../domain/age.js';
import { plainText } from '../../domain/plain-text.js';
import { toolWords } from '../../domain/tool-words.js';
import type { ThreadItem } from '../../protocol/thread-item.js';
import { useNow } from '../clock.js';
import { useOutside } from '../outside.js';
import { ToolInput } from '../parts/tool-input.js';

type Call = Extract<ThreadItem, { type: 'tool_call' }>;

export interface ToolCallProps {
  readonly call: Call;
  readonly inside: number;
  readonly isFolded: boolean;
  readonly onFold: () => void;
}

/** A tool call in one line; opened, with its input, output and, folded or not, what a sub-agent did in it. */
export function ToolCall({ call, inside, isFolded, onFold }: ToolCallProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { tool, params, result } = call;
  return (
    <div className="tool">
      <div className="tool-head">
        <button type="button" className="tool-line" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <ToolSign call={call} />
          <span className="tool-words">{toolWords(tool, params ?? {})}</span>
          <span className="note">
            {result ? duration(result.durationMs) : <Running since={call.timestamp} />}
          </span>
        </button>
        {inside > 0 && (
          <button type="button" className="plain" aria-expanded={!isFolded} onClick={onFold}>
            {isFolded ? `show ${inside} inside` : 'fold'}
          </button>
        )}
      </div>
      {isOpen && (
        <div className="tool-body">
          {params ? <ToolInput input={params} /> : <p className="note">It began before what is read.</p>}
          {result && (
            <div className="field">
              <span className="field-name">output</span>
              <pre tabIndex={0}>{plainText(result.summary) || '(nothing)'}</pre>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

function ToolSign({ call: { result } }: { readonly call: Call }): ReactNode {
  if (!result)
    return (
      <span className="tool-sign tone-work">
        ● <span className="unseen">running</span>
      </span>
    );
  return result.success ? (
    <span className="tool-sign tone-good">
      ✓ <span className="unseen">worked</span>
    </span>
  ) : (
    <span className="tool-sign tone-bad">
      ✗ <span className="unseen">failed</span>
    </span>
  );
}

function Running({ since }: { readonly since: string }): ReactNode {
  const now = useNow(useOutside().clock);
  return <>{duration(Math.max(0, now - Date.parse(since)))}…</>;
}
