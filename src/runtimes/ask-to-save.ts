import { savingStartsNothing, scriptsProposalTool } from '../domain/prompts/scripts-proposal.js';
import { given } from '../protocol/given.js';
import type { AskToSave } from '../workspace-tools/proposed-file.js';
import type { RuntimeHost } from './runtime.js';

/** Puts a proposed file before a person, whole and as the change that it is; no policy and no earlier approval decides it. */
export function askingToSave(host: Pick<RuntimeHost, 'ask'>): AskToSave {
  return async ({ path, before, text, reason }, { toolUseId, agentId, signal }) => {
    const input = { file_path: path, old_string: before, new_string: text, note: savingStartsNothing };
    const reply = await host.ask(
      'permission',
      { tool: scriptsProposalTool, input, toolUseId, onlyPerson: true, ...given({ agentId, reason }) },
      signal,
    );
    if (!reply.answered) return { kind: 'unanswered', why: reply.why };
    if (!reply.approved) return { kind: 'denied', ...given({ message: reply.message }) };
    // What runs is what was shown; somebody at the runner who sends something else has not approved this file.
    if (reply.updatedInput !== undefined)
      return { kind: 'unanswered', why: 'A proposed file is approved as it is, and not changed.' };
    return { kind: 'approved' };
  };
}
