import { z } from 'zod';
import { RefusalError } from '../../process/files/refusal.js';
import { given } from '../../protocol/given.js';
import { WorkspaceScript } from '../../protocol/scripts-config.js';
import { proposedText, readScriptsConfig, readScriptsFile, saveScriptsFile } from '../scripts-config.js';
import type { ToolWorkspace } from '../workspace.js';
import { defineTool, type WorkspaceTool } from '../workspace-tool.js';

const input = {
  setupScripts: z
    .array(WorkspaceScript)
    .max(50)
    .optional()
    .describe('run in order when a workspace is made; left out, they stay as they are'),
  runScripts: z
    .record(z.string().max(200), WorkspaceScript)
    .optional()
    .describe('offered to the user, by key; left out, they stay as they are'),
  hooks: z
    .record(z.string().max(200), z.string().max(10_000))
    .optional()
    .describe('event name to command; left out, they stay as they are'),
  autoSetup: z.boolean().optional().describe('run the setup scripts without being asked'),
  reason: z.string().max(2_000).optional().describe('why, for the user'),
};

/** Puts a scripts config before a person, and saves it if that person approves it. */
export function proposeScriptsConfig(workspace: ToolWorkspace): WorkspaceTool<typeof input> {
  const { askToSave } = workspace;
  return defineTool({
    name: 'propose_scripts_config',
    description:
      'Propose setup scripts, run scripts and hooks. The user sees the whole file and decides; it is saved only if they approve. Waits for the decision.',
    access: askToSave ? 'write' : 'read',
    asksItself: askToSave !== undefined,
    input,
    async answer({ reason, ...proposal }, call) {
      const before = await readScriptsFile(workspace);
      const folder = before?.folder ?? '.handraise';
      const path = before?.path ?? `${folder}/config.json`;
      if (!askToSave) return { path, proposal, reason: reason ?? null, ...(await unasked(workspace)) };
      const text = proposedText(before?.text, given(proposal));
      if (text === before?.text) return { path, saved: false, note: 'The file says this already.' };
      const reply = await askToSave({ path, before: before?.text ?? '', text, ...given({ reason }) }, call);
      switch (reply.kind) {
        case 'denied':
          return { path, saved: false, decision: 'denied', note: deniedWords(reply.message) };
        case 'unanswered':
          return { path, saved: false, decision: null, note: unansweredWords(reply.why) };
        case 'approved':
          await saveScriptsFile(workspace, { before, folder, text });
          return { path, saved: true, decision: 'approved', note: savedWords };
        default:
          return reply satisfies never;
      }
    },
  });
}

const savedWords =
  'The user approved the proposal, and the file is saved. Its scripts run only once the user has approved that as well.';

function deniedWords(message: string | undefined): string {
  const why = message === undefined ? '' : ` The user says: ${message}`;
  return `The user does not want this file. Nothing was saved; do not write it yourself.${why}`;
}

function unansweredWords(why: string): string {
  return `Nobody has decided about the proposal: ${why} Nothing was saved. Do not take this for an approval.`;
}

/** What a client gets that has no way to ask: it shows the proposal to its user itself. */
async function unasked(workspace: ToolWorkspace): Promise<object> {
  return {
    current: await currentConfig(workspace),
    written: false,
    note: 'Nothing was written. Show the proposal to the user, who decides whether it is saved.',
  };
}

// A proposal may be the repair of a config that cannot be read.
async function currentConfig(workspace: ToolWorkspace): Promise<unknown> {
  try {
    return (await readScriptsConfig(workspace)) ?? null;
  } catch (error) {
    if (error instanceof RefusalError) return { problem: error.message };
    throw error;
  }
}
