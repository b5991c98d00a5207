import '../parts/coloured-pre.css';
import { type ReactNode, useMemo, useState } from 'react';
import { colouredText, plainStyle, type StyledRun } from '../../domain/words/coloured-text.js';
import { plainText } from '../../domain/words/plain-text.js';
import type { ThreadId } from '../../protocol/id.js';
import type { ThreadItem } from '../../protocol/thread-item.js';
import type { ToolOutputPart } from '../../protocol/tool-output.js';
import { useConsole } from '../console-context.js';
import { ColouredPre } from '../parts/coloured-pre.js';
import { CopyButton } from '../parts/copy-button.js';
import { useControl } from '../parts/use-control.js';

// A part that a browser lays out at once.
const partLength = 65_536;

type Result = NonNullable<Extract<ThreadItem, { type: 'tool_call' }>['result']>;

export interface ToolOutputProps {
  readonly threadId: ThreadId;
  readonly toolUseId: string;
  readonly result: Result;
}

/** What a tool said: the beginning of it, and on demand everything that was kept, part by part, in its colours. */
export function ToolOutput({ threadId, toolUseId, result }: ToolOutputProps): ReactNode {
  const { client } = useConsole();
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
  const [isWrapped, setWrapped] = useState(true);
  // Each part begins in the colours that the one before it ended in.
  const shown = useMemo(
    () => colouredParts(parts.length > 0 ? parts.map(({ text }) => text) : [summary]),
    [parts, summary],
  );
  const whole = async () => {
    if (outputKept === 0) return plainText(summary);
    let text = '';
    for await (const part of client.threads.toolOutputParts(threadId, toolUseId)) text += part;
    return plainText(text);
  };
  const isEmpty = shown.every((runs) => runs.length === 0);
  return (
    <div className="field">
      <span className="output-head">
        <span className="field-name">Output</span>
        <button
          type="button"
          className="plain"
          aria-pressed={isWrapped}
          onClick={() => setWrapped(!isWrapped)}
        >
          Wrap
        </button>
        <CopyButton label={outputKept > 0 ? 'Copy all' : 'Copy'} text={whole} />
      </span>
      {isEmpty && <pre tabIndex={0}>(no output)</pre>}
      {!isEmpty &&
        shown.map((runs, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part stays in its place
          <ColouredPre key={index} runs={runs} isWrapped={isWrapped} />
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

function colouredParts(texts: readonly string[]): (readonly StyledRun[])[] {
  let style = plainStyle;
  return texts.map((text) => {
    const { runs, after } = colouredText(text, style);
    style = after;
    return runs;
  });
}

function count(characters: number): string {
  return characters.toLocaleString('en-US');
}
