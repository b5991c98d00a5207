import { z } from 'zod';
import { RefusalError } from '../../process/files/refusal.js';
import { WorkspaceScript } from '../../protocol/scripts-config.js';
import { readScriptsConfig } from '../scripts-config.js';
import type { ToolWorkspace } from '../workspace.js';
import { defineTool, type WorkspaceTool } from '../workspace-tool.js';

const input = {
  setupScripts: z
    .array(WorkspaceScript)
    .max(50)
    .default([])
    .describe('run in order when a workspace is made'),
  runScripts: z
    .record(z.string().max(200), WorkspaceScript)
    .default({})
    .describe('offered to the user, by key'),
  hooks: z.record(z.string().max(200), z.string().max(10_000)).default({}).describe('event name to command'),
  autoSetup: z.boolean().default(false).describe('run the setup scripts without being asked'),
  reason: z.string().max(2_000).optional().describe('why, for the user'),
};

/** Lays a scripts config before the user; nothing is written. */
export function proposeScriptsConfig(workspace: ToolWorkspace): WorkspaceTool<typeof input> {
  return defineTool({
    name: 'propose_scripts_config',
    description: 'Propose setup scripts, run scripts and hooks for the user to approve. Writes nothing.',
    access: 'read',
    input,
    async answer({ reason, ...proposal }) {
      return {
        path: '.handraise/config.json',
        proposal,
        reason: reason ?? null,
        current: await currentConfig(workspace),
        written: false,
        note: 'Nothing was written. Show the proposal to the user, who decides whether it is saved.',
      };
    },
  });
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
