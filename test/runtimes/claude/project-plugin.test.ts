import { expect, test } from 'vitest';
import { withFullCommand } from '../../../src/runtimes/claude/project-plugin.js';

const plugin = { folder: '/x', commands: new Set(['go', 'deep:er']) };

test.each([
  ['/go', '/project:go'],
  ['/go now', '/project:go now'],
  ['/go\nnow', '/project:go\nnow'],
  ['/deep:er', '/project:deep:er'],
  ['/gone', '/gone'],
  ['/other', '/other'],
  ['go /go', 'go /go'],
  [' /go', ' /go'],
  ['/go/away', '/go/away'],
  ['', ''],
])('%j is read as %j', (text, read) => {
  expect(withFullCommand(text, plugin)).toBe(read);
  expect(withFullCommand(text, null)).toBe(text);
});
