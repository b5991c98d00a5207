import type { ReactNode } from 'react';
import type { RuntimeReport } from '../../protocol/api.js';

/** Which agent works: one of those that the worker knows. What is not installed can be chosen only for a container. */
export function RuntimeField({
  runtime,
  reports,
  isContained = false,
  onChange,
}: {
  readonly runtime: string;
  readonly reports: readonly RuntimeReport[];
  readonly isContained?: boolean;
  readonly onChange: (runtime: string) => void;
}): ReactNode {
  return (
    <label>
      Runtime
      <select value={runtime} onChange={(event) => onChange(event.target.value)}>
        {runtimesShown(reports).map(({ name, found, version }) => (
          <option key={name} value={name} disabled={!found && !isContained}>
            {name}
            {version === undefined ? '' : ` ${version}`}
            {found || isContained ? '' : ' (not installed)'}
          </option>
        ))}
      </select>
    </label>
  );
}

function runtimesShown(reports: readonly RuntimeReport[]) {
  return reports.length > 0 ? reports : [{ name: 'claude', found: true, version: undefined }];
}
