import { branchWords } from '../process/git/branch-name.js';

const LONGEST_BRANCH = 72;

/** The branch for an issue: lower-case ASCII letters, digits and single hyphens, whatever the title holds. */
export function issueBranch(issue: string, title: string | undefined): string {
  return branchWords(`${issue} ${title ?? ''}`, LONGEST_BRANCH);
}
