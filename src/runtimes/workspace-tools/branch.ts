const LONGEST_BRANCH = 72;
const FORBIDDEN = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.$/u;

/** The branch for an issue: lower-case ASCII letters, digits and single hyphens, whatever the title holds. */
export function issueBranch(issue: string, title: string | undefined): string {
  const words = `${issue} ${title ?? ''}`
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return (words ?? []).join('-').slice(0, LONGEST_BRANCH).replace(/-$/, '');
}

/** Whether git would take this as a branch name; one that begins with a hyphen would be read as an option. */
export function isBranchName(name: string): boolean {
  if (name === '' || name === '@' || name === 'HEAD' || name.startsWith('-') || FORBIDDEN.test(name))
    return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
