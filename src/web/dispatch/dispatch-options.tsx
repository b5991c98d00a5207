import { type ReactNode, useId, useMemo } from 'react';
import { plainLine } from '../../domain/words/plain-text.js';
import type { RuntimeReport } from '../../protocol/api.js';
import { useConsole } from '../console-context.js';
import { useConsoleSettings } from '../console-settings.js';
import { useOverview } from '../overview/use-overview.js';
import { AttachButton } from '../parts/attach-button.js';
import { KeptMenu } from '../parts/kept-menu.js';
import { ChoiceField, ScheduleFields } from '../schedules/schedule-fields.js';
import { usualTimes } from '../schedules/schedule-request.js';
import { RuntimeField } from './runtime-field.js';
import { fittedForm, presetWords, runtimeOffer } from './runtime-offer.js';
import { type Blank, firstBlank, type SavedWork, savedOf, savedWork } from './saved-work.js';
import { useModels } from './use-models.js';
import { useSkills } from './use-skills.js';
import { freedoms } from './work-form.js';
import { isContained, type WorkChoices, type WorkForm, type WorkWords } from './work-words.js';

/** What goes with new work beside its text: where, by whom, and how freely. */
export default function DispatchOptions({
  form: chosen,
  type,
  choose,
  reports,
  onTake,
  onAttach,
  onClose,
  isSending,
}: {
  readonly form: WorkForm;
  readonly type: (fields: Partial<WorkWords>) => void;
  readonly choose: (fields: Partial<WorkChoices>) => void;
  readonly reports: readonly RuntimeReport[];
  readonly onTake: (work: SavedWork, blank: Blank | undefined) => void;
  readonly onAttach: (files: readonly File[]) => void;
  readonly onClose: () => void;
  readonly isSending: boolean;
}): ReactNode {
  const { overview: store } = useConsole();
  const { threads } = useOverview(store);
  const usual = useConsoleSettings()?.container;
  const offer = runtimeOffer(chosen, reports);
  const form = fittedForm(chosen, offer);
  const contained = isContained(form, usual);
  const models = useModels(form.runtime, offer.model === 'listed');
  const ids = { folders: useId(), skills: useId(), models: useId() };
  const skills = useSkills(form.folder);
  const folders = useMemo(
    () =>
      [
        ...new Set(
          Array.from(threads.values(), ({ workspace: { repo, ref, path } }) =>
            repo === undefined ? path : `${repo}${ref === undefined ? '' : `#${ref}`}`,
          ),
        ),
      ].slice(0, 50),
    [threads],
  );

  return (
    <div className="dispatch-options">
      <label className="wide">
        Folder or git repository
        <input
          list={ids.folders}
          value={form.folder}
          placeholder="/path/to/the/project, or https://git.example/shop.git#branch"
          onChange={(event) => type({ folder: event.target.value })}
        />
        <datalist id={ids.folders}>
          {folders.map((path) => (
            <option key={path} value={path} />
          ))}
        </datalist>
      </label>
      <RuntimeField
        runtime={form.runtime}
        reports={reports}
        isContained={contained}
        onChange={(runtime) => choose({ runtime })}
      />
      <ChoiceField
        label="Permissions"
        value={form.freedom}
        words={Object.fromEntries(offer.freedoms.map((key) => [key, freedoms[key].words]))}
        onChange={(value) => choose({ freedom: offer.freedoms.find((key) => key === value) ?? 'ask' })}
      />
      {offer.tools.length > 1 && (
        <ChoiceField
          label="Tools"
          value={form.tools}
          words={Object.fromEntries(offer.tools.map((preset) => [preset, presetWords[preset]]))}
          onChange={(value) => choose({ tools: offer.tools.find((preset) => preset === value) ?? 'full' })}
        />
      )}
      {offer.hasCommand && form.skill.trim() === '' && (
        <label className="wide">
          Command
          <input
            value={form.command}
            placeholder="my-agent --print {prompt}"
            onChange={(event) => choose({ command: event.target.value })}
          />
        </label>
      )}
      {offer.model !== 'none' && (
        <label>
          Model
          <input
            list={ids.models}
            value={form.model}
            placeholder="default model"
            onChange={(event) => choose({ model: event.target.value })}
          />
          <datalist id={ids.models}>
            {models.map(({ id, name }) => (
              <option key={id} value={id}>
                {plainLine(name ?? id)}
              </option>
            ))}
          </datalist>
        </label>
      )}
      <label>
        Skill
        <input
          list={ids.skills}
          value={form.skill}
          placeholder="none: an agent works"
          onChange={(event) => choose({ skill: event.target.value })}
        />
        <datalist id={ids.skills}>
          {skills.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <label>
        Budget
        <input
          value={form.budget}
          placeholder="none, 5, 200k tokens"
          onChange={(event) => choose({ budget: event.target.value })}
        />
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={form.worktree}
          onChange={(event) => choose({ worktree: event.target.checked })}
        />
        Use a separate git worktree
      </label>
      {(offer.hasContainers || contained) && (
        <label className="check">
          <input
            type="checkbox"
            checked={contained}
            onChange={(event) => choose({ container: event.target.checked })}
          />
          Work in a container
        </label>
      )}
      {contained && (
        <label>
          Image
          <input
            value={form.image}
            placeholder={usual?.image ?? `the one for ${form.runtime}`}
            onChange={(event) => choose({ image: event.target.value })}
          />
        </label>
      )}
      <AttachButton
        attachments={form.attachments}
        onAdd={onAttach}
        onChange={(attachments) => choose({ attachments })}
      />
      <KeptMenu
        label="Saved work"
        kept={savedWork}
        note="Kept in this browser. Blanks such as {{ticket}} are filled in when you take it up."
        keepWords="Keep this work"
        current={(name) => savedOf(form, name)}
        onTake={(work) => onTake(work, firstBlank(work.text))}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={form.times !== undefined}
          onChange={(event) => choose({ times: event.target.checked ? usualTimes : undefined })}
        />
        On a schedule
      </label>
      {form.times && (
        <ScheduleFields
          times={form.times}
          onChange={(fields) => choose({ times: { ...usualTimes, ...form.times, ...fields } })}
        />
      )}
      {offer.notes.length > 0 && form.skill.trim() === '' && (
        <p className="note dispatch-notes">{offer.notes.join(' ')}</p>
      )}
      <span className="dispatch-send">
        <button type="button" className="plain" onClick={onClose}>
          Close
        </button>
        <button type="submit" className="primary" disabled={isSending}>
          {isSending ? 'Sending…' : form.times ? 'Add schedule' : 'Start'}
        </button>
      </span>
    </div>
  );
}
