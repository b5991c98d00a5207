import { expect, test } from 'vitest';
import { PresetRule } from '../../../src/runtimes/claude/tool-preset.js';

const tools = [
  'Read',
  'Glob',
  'Grep',
  'WebFetch',
  'WebSearch',
  'Edit',
  'Write',
  'Bash',
  'Monitor',
  'NotebookEdit',
  'Agent',
  'AskUserQuestion',
  'ExitPlanMode',
  'TaskCreate',
  'Workflow',
  'mcp__handraise__get_session_status',
  'mcp__handraise__add_review_comment',
  'mcp__project__anything',
];

test.each([
  ['full', tools],
  ['no-bash', tools.filter((tool) => tool !== 'Bash' && tool !== 'Monitor')],
  [
    'read-only',
    [
      'Read',
      'Glob',
      'Grep',
      'WebFetch',
      'WebSearch',
      'Write',
      'Agent',
      'AskUserQuestion',
      'ExitPlanMode',
      'TaskCreate',
      'mcp__handraise__get_session_status',
    ],
  ],
  [
    'safe-edit',
    [
      'Read',
      'Glob',
      'Grep',
      'WebFetch',
      'WebSearch',
      'Edit',
      'Write',
      'Agent',
      'AskUserQuestion',
      'ExitPlanMode',
      'TaskCreate',
      'mcp__handraise__get_session_status',
    ],
  ],
] as const)('%s leaves exactly its tools', (preset, allowed) => {
  const rule = new PresetRule(preset, ['mcp__handraise__get_session_status']);
  expect(tools.filter((tool) => rule.allows(tool))).toEqual(allowed);
  expect(rule.writesFiles).toBe(preset === 'full' || preset === 'no-bash');
});

test('tools that are disallowed to the runtime are those that the rule refuses', () => {
  for (const preset of ['full', 'no-bash', 'read-only', 'safe-edit'] as const) {
    const rule = new PresetRule(preset, []);
    expect(rule.disallowedTools.filter((tool) => rule.allows(tool))).toEqual([]);
    if (Array.isArray(rule.tools)) expect(rule.tools.every((tool) => rule.allows(tool))).toBe(true);
  }
});
