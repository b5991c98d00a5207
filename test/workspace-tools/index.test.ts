import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { workspaceTools } from '../../src/workspace-tools/index.js';
import { ScratchWorkspace } from './scratch-workspace.js';

test('there are eleven tools, and three of them write', async () => {
  await using scratch = new ScratchWorkspace();
  expect(workspaceTools(scratch.workspace).map(({ name, access }) => [name, access])).toEqual([
    ['get_session_status', 'read'],
    ['get_workspace_diff', 'read'],
    ['get_recent_activity', 'read'],
    ['add_review_comment', 'write'],
    ['list_review_comments', 'read'],
    ['get_review_comment_stats', 'read'],
    ['get_linear_context', 'read'],
    ['start_linear_issue', 'write'],
    ['update_linear_status', 'write'],
    ['get_workspace_scripts_config', 'read'],
    ['propose_scripts_config', 'read'],
  ]);
});

test('every input can be shown to an MCP client as a JSON schema', async () => {
  await using scratch = new ScratchWorkspace();
  for (const { input } of workspaceTools(scratch.workspace)) {
    const schema = z.object(input);
    for (const io of ['input', 'output'] as const) {
      expect(z.toJSONSchema(schema, { io })).toMatchObject({ type: 'object' });
    }
  }
});

test('the read tools leave no trace in a workspace', async () => {
  await using scratch = ScratchWorkspace.repository({ linearIssue: 'LIN-1' });
  scratch.write('new.txt', 'new\n');
  const before = readdirSync(scratch.cwd, { recursive: true });
  for (const { name, access } of workspaceTools(scratch.workspace)) {
    if (access === 'read') expect(await scratch.call(name)).toMatchObject({ ok: true });
  }
  expect(readdirSync(scratch.cwd, { recursive: true })).toEqual(before);
});
