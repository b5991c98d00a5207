import { expect, test } from 'vitest';
import { grantWords } from '../../../src/domain/words/grant-words.js';

const exactly = 'without asking, with exactly the input that you see and no other.';

test.each([
  [
    { tool: 'Bash', input: { command: 'npm test', description: 'Runs the tests' } },
    `run: npm test ${exactly} Only its description may differ.`,
  ],
  [{ tool: 'Bash', input: { command: 'ls', timeout: 5 } }, `run: ls ${exactly}`],
  [
    { tool: 'Edit', input: { file_path: '/work/shop/src/cart.js', old_string: 'a' } },
    `edit src/cart.js ${exactly}`,
  ],
  [{ tool: 'mcp__git__push', input: {} }, `use push of the MCP server git ${exactly}`],
  [{ tool: 'Bash', input: { command: 'echo \u202e' } }, `run: echo ⟨U+202E⟩ ${exactly}`],
])('the rule of %j is told', (action, words) => {
  expect(grantWords(action, '/work/shop')).toBe(
    `Always makes this rule: in this thread the agent may ${words}`,
  );
});
