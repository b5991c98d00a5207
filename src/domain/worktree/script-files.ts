const mostWords = 50;

// What begins another command, and what starts the one that comes after it.
const BREAK = /[;&|(){}`\n]+/;
const KEYWORD = /^(!|if|then|else|elif|while|until|do|exec|env|command|time|nice|npx)$/;
const INTERPRETER = /^(\.|source|sh|bash|dash|zsh|ksh|fish|node|deno|bun|tsx|python3?|ruby|perl|php)$/;
const ASSIGNMENT = /^\w+=/;
const SCRIPT = /\.(sh|bash|zsh|fish|[cm]?[jt]s|py|rb|pl|php|mk)$/;

/**
 * The words of a command line that start a program or look like one, and so could be files of the project: what they
 * hold is approved together with the command. A file that a command only reads or writes is none of them, because it may
 * differ from worktree to worktree.
 */
export function programsOf(command: string): string[] {
  const words = command.split(BREAK).flatMap((part) => programsIn(part.split(/[\s"'$<>]+/).filter(Boolean)));
  return [...new Set(words.map((word) => word.replace(/^(\.\/)+/, '')).filter(isInside))].slice(0, mostWords);
}

function programsIn(words: readonly string[]): string[] {
  const found = words.filter((word) => SCRIPT.test(word));
  for (const word of words) {
    const name = word.slice(word.lastIndexOf('/') + 1);
    if (ASSIGNMENT.test(word) || word.startsWith('-') || KEYWORD.test(word)) continue;
    if (INTERPRETER.test(name)) continue;
    return [...found, word];
  }
  return found;
}

/** Whether a path stays where it begins, and out of git's own folder. */
export function isInside(path: string): boolean {
  if (path === '' || path.startsWith('/') || /\p{Cc}/u.test(path)) return false;
  const parts = path.split('/');
  return !parts.some((part) => part === '..' || part === '' || part === '.' || part.toLowerCase() === '.git');
}
