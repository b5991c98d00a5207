import { runCaptured } from '../../process/children/captured-command.js';

/** A pull request to be open: the branch is pushed, and `at` is the repository that it was pushed to. */
export interface RequestToOpen {
  readonly at: { readonly host: string; readonly path: string };
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
}

/** What came of it. */
export type RequestOpening =
  | { readonly kind: 'open'; readonly url: string; readonly isNew: boolean }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'signed out' };

/** A program by which its user is signed in to a service; it asks nothing and starts no browser. */
export interface Forge {
  readonly program: 'gh' | 'glab';
  /** What a person types to sign in. */
  readonly signIn: (host: string) => string;
  open(request: RequestToOpen, call: ForgeCall): Promise<RequestOpening>;
}

/** Calls the program with arguments and what it reads from stdin. */
export type ForgeCall = (args: readonly string[], input?: string) => Promise<ForgeAnswer>;
export type ForgeAnswer =
  | { readonly kind: 'missing' }
  | { readonly kind: 'ended'; readonly ok: boolean; readonly stdout: string; readonly stderr: string };

export interface ForgeMeans {
  /** A folder of ours without a repository: nothing of the agent's is read. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Calls programs such as gh in a folder that holds nothing. */
export function forgeCall(
  program: Forge['program'],
  { folder, env: inherited, signal }: ForgeMeans,
): ForgeCall {
  const env = {
    ...inherited,
    GIT_CEILING_DIRECTORIES: folder,
    GH_PROMPT_DISABLED: '1',
    GH_NO_UPDATE_NOTIFIER: '1',
    NO_PROMPT: '1',
    GLAB_CHECK_UPDATE: 'false',
    NO_COLOR: '1',
    LC_ALL: 'C',
  };
  return async (args, input = '') => {
    const end = await runCaptured({ file: program, args, cwd: folder, env, input, signal });
    switch (end.kind) {
      case 'missing':
        return end;
      case 'stopped':
        return { kind: 'ended', ok: false, stdout: '', stderr: `${program} was ended before it was done` };
      case 'ended':
        return { kind: 'ended', ok: end.code === 0, stdout: end.stdout, stderr: end.stderr };
      default:
        return end satisfies never;
    }
  };
}

/** The first address in what a program printed. */
export function printedAddress(output: string): string | undefined {
  return /https?:\/\/[^\s"'<>]{1,1000}/.exec(output.slice(0, 20_000))?.[0];
}

/** What a program printed as JSON; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
