import { type ReactNode, useState } from 'react';
import { plainText } from '../../domain/words/plain-text.js';
import type { ThreadId } from '../../protocol/id.js';
import type { ThreadItem } from '../../protocol/thread-item.js';
import type { ToolOutputPart } from '../../protocol/tool-output.js';
import { useControl } from '../parts/use-control.js';

// A part that a browser lays out at once.
const partLength = 65_536;

type Result = NonNullable<Extract<ThreadItem, { type: 'tool_call' }>['result']>;

export interface ToolOutputProps {
  readonly threadId: ThreadId;
  readonly toolUseId: string;
  readonly result: Result;
}

/** What a tool said: the beginning of it, and on demand everything that was kept, part by part, as plain text. */
export function ToolOutput({ threadId, toolUseId, result }: ToolOutputProps): ReactNode {
  const { isActing, failure, act } = useControl();
  const [parts, setParts] = useState<readonly ToolOutputPart[]>([]);
  const { summary, outputLength = 0, outputKept = 0 } = result;
  const last = parts.at(-1);
  const next = last ? last.next : 0;
  const read = () => {
    if (next === undefined) return;
    act(async ({ threads }) => {
      const part = await threads.toolOutput(threadId, toolUseId, { after: next, limit: partLength });
      setParts([...parts, part]);
    });
  };
  return (
    <div className="field">
      <span className="field-name">Output</span>
      {parts.length === 0 && <pre tabIndex={0}>{plainText(summary) || '(no output)'}</pre>}
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part stays in its place
        <pre key={index} tabIndex={0}>
          {plainText(part.text)}
        </pre>
      ))}
      {outputKept > 0 && next !== undefined && (
        <button type="button" className="plain" disabled={isActing} onClick={read}>
          {last
            ? `Show more · ${count(next)} of ${count(last.length)} characters shown`
            : `Show all ${count(outputKept)} characters`}
        </button>
      )}
      {outputLength > outputKept && (
        <span className="note">
          {count(outputLength)} characters in all;{' '}
          {outputKept > 0 ? 'the rest was not kept' : 'only these were kept'}.
        </span>
      )}
      {failure !== undefined && <p className="is-bad">{failure}</p>}
    </div>
  );
}

function count(characters: number): string {
  return characters.toLocaleString('en-US');
}
