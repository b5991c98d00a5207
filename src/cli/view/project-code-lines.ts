import { hiddenCharacters, hiddenWords, markedLine, markedText } from '../../domain/words/marked-text.js';
import type { ProjectCodeReport } from '../../protocol/api.js';

/** The files of a project that a person is to approve, whole: what shows nothing on a terminal is marked. */
export function projectCodeLines(
  files: ProjectCodeReport['files'],
  { bold }: { readonly bold: (text: string) => string },
): string[] {
  return files.flatMap(({ path, text }) => {
    const hidden = hiddenWords(hiddenCharacters([path, text]));
    return [
      bold(markedLine(path)),
      ...(hidden === '' ? [] : [`! It ${hidden}`]),
      markedText(text).trimEnd(),
      '',
    ];
  });
}

/** What would run in new worktrees of a project, and the files that say so, whole. */
export function setupLines(
  { commands, files }: NonNullable<ProjectCodeReport['setup']>,
  colours: { readonly bold: (text: string) => string },
): string[] {
  return [
    colours.bold('In every new worktree of this project, before its agent starts:'),
    ...commands.map(({ command }) => `  ${markedLine(command)}`),
    '',
    ...projectCodeLines(files, colours),
  ];
}

/** What can be started with --skill, and all that lies beside it, whole. */
export function skillLines(
  { files }: NonNullable<ProjectCodeReport['skills']>,
  colours: { readonly bold: (text: string) => string },
): string[] {
  return [
    colours.bold('Skills of this project, which work can name:'),
    '',
    ...projectCodeLines(files, colours),
  ];
}
