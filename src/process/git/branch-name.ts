const FORBIDDEN = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.$/u;

/** Whether git would take this as a branch name; one that begins with a hyphen would be read as an option. */
export function isBranchName(name: string): boolean {
  if (name === '' || name === '@' || name === 'HEAD' || name.startsWith('-') || FORBIDDEN.test(name))
    return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}

/** The ASCII words of any text in lower case, joined by hyphens; empty when it has none. */
export function branchWords(text: string, longest: number): string {
  // Marks are put in order with the square of their number (measured: two seconds for 40,000).
  const words = text
    .slice(0, longest * 8)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return (words ?? []).join('-').slice(0, longest).replace(/-$/, '');
}
