import { type FormEvent, type ReactNode, useState } from 'react';
import { markedText } from '../../domain/words/marked-text.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { PipelineRequest } from '../../protocol/pipeline.js';
import { useControl } from '../parts/use-control.js';
import { type FoundPipeline, findPipeline } from './found-pipeline.js';
import { PipelineApproval } from './pipeline-approval.js';

const nothingTyped = { file: '', folder: '', asksNobody: false };

/** Where a pipeline is begun: its file is read first, so that a person sees what it is and what it wants to be told. */
export function PipelineForm({ onBegun }: { readonly onBegun: () => void }): ReactNode {
  const [form, setForm] = useState(nothingTyped);
  const [found, setFound] = useState<FoundPipeline>();
  const [inputs, setInputs] = useState<Readonly<Record<string, string>>>({});
  const [said, setSaid] = useState('');
  const { isActing, failure, act } = useControl();
  const set = (fields: Partial<typeof nothingTyped>) => setForm({ ...form, ...fields });
  const read = () =>
    act(async (client) => {
      const pipeline = await findPipeline(client, form.file.trim());
      setFound(pipeline);
      setInputs(Object.fromEntries(pipeline.inputs.map(({ name, usual }) => [name, usual])));
      set({ folder: pipeline.folder });
      setSaid('');
    });
  const begin = (pipeline: FoundPipeline) =>
    act(async ({ pipelines }) => {
      const { name } = await pipelines.run(requestOf(pipeline, { ...form, inputs }));
      setSaid(`Started ${plainLine(name)}.`);
      setFound(undefined);
      setForm(nothingTyped);
      onBegun();
    });
  const approve = (pipeline: FoundPipeline) =>
    act(async (client) => {
      try {
        // The digest is that of what was shown: a file that has changed since is refused.
        await client.approveProjectCode(pipeline.file, pipeline.digest);
      } catch (error) {
        // It has to be read again.
        setFound(undefined);
        throw error;
      }
      setFound({ ...pipeline, needsApproval: false });
      setSaid(`Approved ${plainLine(pipeline.name)} as it was shown.`);
    });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setSaid('');
    if (found) return found.needsApproval ? undefined : begin(found);
    if (!form.file.trim().startsWith('/'))
      return setSaid(
        'Enter the file of the pipeline as an absolute path, such as /home/me/project/idea.yaml.',
      );
    read();
  };
  return (
    <form className="dispatch-box is-open" aria-label="Start a pipeline" onSubmit={onSubmit}>
      <div className="dispatch-options">
        <label className="wide">
          File
          <input
            value={form.file}
            placeholder="/path/to/the/pipeline.yaml"
            onChange={(event) => {
              set({ file: event.target.value });
              setFound(undefined);
            }}
          />
        </label>
        {!found && (
          <button type="submit" className="primary" disabled={isActing}>
            Read it
          </button>
        )}
      </div>
      {found?.needsApproval && (
        <PipelineApproval found={found} isActing={isActing} approve={() => approve(found)} />
      )}
      {found && (
        <FoundFields
          found={found}
          form={form}
          inputs={inputs}
          isActing={isActing}
          set={set}
          setInput={(name, value) => setInputs({ ...inputs, [name]: value })}
        />
      )}
      <p role="status" className={failure === undefined ? 'note' : 'note is-bad'}>
        {failure ?? said}
      </p>
    </form>
  );
}

function FoundFields({
  found,
  form,
  inputs,
  isActing,
  set,
  setInput,
}: {
  readonly found: FoundPipeline;
  readonly form: typeof nothingTyped;
  readonly inputs: Readonly<Record<string, string>>;
  readonly isActing: boolean;
  readonly set: (fields: Partial<typeof nothingTyped>) => void;
  readonly setInput: (name: string, value: string) => void;
}): ReactNode {
  return (
    <>
      <p className="note">
        {plainLine(found.name)}: {found.phases === 1 ? 'one phase' : `${found.phases} phases`}.
      </p>
      {!found.needsApproval && (
        <details>
          <summary>What is in the file</summary>
          {/* It scrolls, so the keyboard must reach it. */}
          <pre className="pipeline-source" tabIndex={0} role="region" aria-label="The file">
            {markedText(found.source)}
          </pre>
        </details>
      )}
      <div className="dispatch-options">
        {found.inputs.map(({ name, description, isRequired }) => (
          <label key={name} className="wide">
            {plainLine(description ?? name)}
            <input
              value={inputs[name] ?? ''}
              required={isRequired}
              onChange={(event) => setInput(name, event.target.value)}
            />
          </label>
        ))}
        <label className="wide">
          Folder
          <input value={form.folder} onChange={(event) => set({ folder: event.target.value })} />
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={form.asksNobody}
            onChange={(event) => set({ asksNobody: event.target.checked })}
          />
          Ask nobody: approvals are rejected
        </label>
        <span className="dispatch-send">
          <button type="submit" className="primary" disabled={isActing || found.needsApproval}>
            Start
          </button>
        </span>
      </div>
    </>
  );
}

/** The run as the API takes it: the text that was shown, whatever lies in the file by now. */
function requestOf(
  { file, source, inputs: known }: FoundPipeline,
  { folder, asksNobody, inputs }: typeof nothingTyped & { readonly inputs: Readonly<Record<string, string>> },
): PipelineRequest {
  const typed = known.flatMap(({ name, usual }) => {
    const value = inputs[name] ?? '';
    // What was left as it usually is stays the file's own business.
    return value === usual ? [] : [[name, value] as const];
  });
  return {
    source,
    file,
    workspace: { path: folder.trim() },
    ...(typed.length > 0 && { inputs: Object.fromEntries(typed) }),
    ...(asksNobody && { noInput: true }),
  };
}
