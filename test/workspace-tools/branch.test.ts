import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBranchName } from '../../src/process/git/branch-name.js';
import { issueBranch } from '../../src/workspace-tools/branch.js';

const issueIds = fc.stringMatching(/^[A-Z][A-Z0-9]{0,6}-[0-9]{1,6}$/);
const anyText = fc.string({ unit: 'binary', maxLength: 200 });

test('a branch says the issue and its title', () => {
  expect(issueBranch('LIN-123', 'Fix the Café login: "500" again!')).toBe(
    'lin-123-fix-the-cafe-login-500-again',
  );
  expect(issueBranch('LIN-123', undefined)).toBe('lin-123');
  expect(issueBranch('LIN-123', '../../etc --force; rm -rf /')).toBe('lin-123-etc-force-rm-rf');
  expect(issueBranch('LIN-123', '日本語')).toBe('lin-123');
});

test('whatever the title, the branch is short and made of harmless characters', () => {
  fc.assert(
    fc.property(issueIds, anyText, (id, title) => {
      const branch = issueBranch(id, title);
      expect(branch).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(branch.startsWith(id.toLowerCase())).toBe(true);
      expect(branch.length).toBeLessThanOrEqual(72);
      expect(isBranchName(branch)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
