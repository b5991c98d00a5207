import type { ReactNode } from 'react';
import { plainText } from '../../domain/plain-text.js';
import { differenceOf } from './diff-line.js';
import { DiffView } from './diff-view.js';

type Input = Readonly<Record<string, unknown>>;

const longest = 20_000;

/** What a tool is to do: a command as a command, an edit as a difference, everything else field by field. */
export function ToolInput({ input }: { readonly input: Input }): ReactNode {
  const { old_string: before, new_string: after, file_path: file, ...rest } = input;
  if (typeof before === 'string' && typeof after === 'string') {
    return (
      <>
        {typeof file === 'string' && <Field name="file" value={file} />}
        <DiffView lines={differenceOf(before, after)} />
        <Fields input={rest} />
      </>
    );
  }
  const { content } = rest;
  if (typeof file === 'string' && typeof content === 'string') {
    const { content: _shown, ...others } = rest;
    return (
      <>
        <Field name="file" value={file} />
        <DiffView lines={differenceOf('', content)} />
        <Fields input={others} />
      </>
    );
  }
  return <Fields input={input} />;
}

function Fields({ input }: { readonly input: Input }): ReactNode {
  return Object.entries(input).map(([name, value]) => <Field key={name} name={name} value={value} />);
}

function Field({ name, value }: { readonly name: string; readonly value: unknown }): ReactNode {
  const whole = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const text = plainText(whole);
  const hidden = whole.replaceAll('\r\n', '\n').length - text.length;
  const shown = text.slice(0, longest);
  const rest = text.length - shown.length;
  const isLong = shown.length > 60 || shown.includes('\n') || name === 'command';
  return (
    <div className={isLong ? 'field' : 'field is-short'}>
      <span className="field-name">{plainText(name)}</span>
      {isLong ? <pre tabIndex={0}>{shown}</pre> : <code>{shown}</code>}
      {hidden > 0 && (
        <span className="note is-bad">{hidden} characters that would not be seen are left out here</span>
      )}
      {rest > 0 && <span className="note">… {rest} more characters</span>}
    </div>
  );
}
