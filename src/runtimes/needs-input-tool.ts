import { basename, dirname } from 'node:path';
import { RefusalError } from '../process/files/refusal.js';
import { NeedsInputFile, needsInputPath } from '../protocol/needs-input.js';
import { keepOutOfStatus } from '../workspace-tools/git-exclude.js';
import type { ToolWorkspace } from '../workspace-tools/workspace.js';
import { WorkspaceFolder } from '../workspace-tools/workspace-folder.js';
import { defineTool, type WorkspaceTool } from '../workspace-tools/workspace-tool.js';

/** A tool that leaves a question in the needs-input file, for an agent whose sandbox forbids it to write. */
export function needsInputTool(workspace: ToolWorkspace): WorkspaceTool {
  const { shape } = NeedsInputFile;
  return defineTool({
    name: 'needs_input',
    description:
      'Leaves a question for a person and lets you stop. Use it when you cannot go on without an answer that may take long. End your turn right after it; the answer comes as the next message, with partial_state as you gave it.',
    access: 'read',
    input: shape,
    async answer(question) {
      const file = NeedsInputFile.safeParse(question);
      if (!file.success) throw new RefusalError(file.error.issues.map(({ message }) => message).join(' '));
      await keepOutOfStatus(workspace, [needsInputPath]);
      await using folder = await WorkspaceFolder.create(workspace.cwd, dirname(needsInputPath));
      await folder.write(basename(needsInputPath), `${JSON.stringify(file.data, undefined, 2)}\n`);
      return 'The question is left for a person. End your turn now.';
    },
  });
}
