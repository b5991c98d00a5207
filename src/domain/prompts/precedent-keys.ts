import * as z from 'zod';
import type { PromptAction, PromptKind } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';
import { isApprovedOnce } from './approved-once.js';
import { canonicalJson } from './fingerprint.js';
import { pathInside, pathShape } from './path-shape.js';

/** By what earlier prompts of a project are found again: hashes of what is asked, and of what it is like. */
export const PrecedentKeys = z.object({
  /** The folder that the work was asked for in. */
  project: z.string(),
  same: z.string(),
  similar: z.string().optional(),
});
export type PrecedentKeys = z.infer<typeof PrecedentKeys>;

/** Where something is asked. */
export interface AskedIn {
  readonly project: string;
  readonly cwd: string;
  readonly sha256: (text: string) => string;
}

interface Asked {
  readonly kind: PromptKind;
  readonly questions: readonly Question[];
  readonly action?: PromptAction | undefined;
}

/** The field in which tools name the one file that they are about. */
const fileFields = ['file_path', 'filePath', 'path', 'notebook_path'] as const;

// What is longer is only ever the same as itself.
const longestWording = 4000;

/** What a prompt is found by later; a secret leaves no trace. */
export function precedentKeys(asked: Asked, { project, cwd, sha256 }: AskedIn): PrecedentKeys | undefined {
  if (asked.questions.some(({ isSecret }) => isSecret)) return undefined;
  const likeness = similarText(asked, cwd);
  return {
    project,
    same: sha256(sameText(asked, cwd)),
    ...(likeness !== null && { similar: sha256(likeness) }),
  };
}

/** The same wording and options, or the same action; where the folder stands on the disk makes no difference. */
function sameText({ kind, questions, action }: Asked, cwd: string): string {
  return canonicalJson({
    kind,
    questions: questions.map(({ question, options, multiSelect, server }) => ({
      question: question.trim(),
      options: options.map(({ label }) => label),
      multiSelect,
      server,
    })),
    action: action && { tool: action.tool, input: inputBelow(action, cwd) },
  });
}

/** The same question in other numbers, or the same tool on the same kind of path. */
function similarText({ kind, questions, action }: Asked, cwd: string): string | null {
  if (action) {
    if (isApprovedOnce(action)) return null;
    return canonicalJson({ kind, tool: action.tool, shape: actionShape(action, cwd) });
  }
  const words = questions.map(({ question }) => question);
  if (words.some((each) => each.length > longestWording)) return null;
  return canonicalJson({ kind: 'question', words: words.map(withoutNumbers) });
}

function withoutNumbers(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/\d+/g, '#')
    .split(/[^\p{L}#]+/u)
    .filter((word) => word !== '')
    .join(' ');
}

/** What actions of one tool have in common: the kind of path, or the program that a command starts. */
function actionShape({ tool, input }: Pick<PromptAction, 'tool' | 'input'>, cwd: string): string {
  const path = pathOf(input);
  if (path !== undefined) {
    const inside = pathInside(cwd, path);
    return inside === null ? `outside ${pathShape(path)}` : pathShape(inside);
  }
  const command = input['command'];
  if (tool !== 'Bash' || typeof command !== 'string') return '';
  const words = command.slice(0, longestWording).trim().split(/\s+/).slice(0, 2);
  return words.filter((word, place) => place === 0 || /^[a-z][\w:-]*$/i.test(word)).join(' ');
}

function pathOf(input: PromptAction['input']): string | undefined {
  const field = fileFields.find((name) => typeof input[name] === 'string');
  return field === undefined ? undefined : String(input[field]);
}

/** The input with paths as the project sees them, and without the agent's own words about a command. */
function inputBelow({ tool, input }: Pick<PromptAction, 'tool' | 'input'>, cwd: string): object {
  const { description, ...rest } = input;
  const kept = tool === 'Bash' ? rest : { ...rest, ...(description !== undefined && { description }) };
  const paths = fileFields.flatMap((name) => {
    const path = kept[name];
    const inside = typeof path === 'string' ? pathInside(cwd, path) : null;
    return inside === null ? [] : [[name, inside] as const];
  });
  return { ...kept, ...Object.fromEntries(paths) };
}
