import { seenFolder } from '../../domain/container/seen-folder.js';
import { actionSheet } from '../../domain/prompts/action-sheet.js';
import { askedPlan, emptyPlanWords, isEmptyPlan } from '../../domain/prompts/asked-plan.js';
import type { SheetLine } from '../../domain/prompts/text-sheet.js';
import type { Asker } from '../../domain/words/ask-words.js';
import { hiddenCharacters, hiddenWords, markedText } from '../../domain/words/marked-text.js';
import { plainText } from '../../domain/words/plain-text.js';
import type { Prompt } from '../../protocol/prompt.js';
import { brokenRows, wrappedRows } from '../terminal/wrap.js';
import { asciiText } from './ascii.js';

/** A row of what is asked, as wide as the screen at most. */
export interface AskedRow {
  readonly text: string;
  readonly tone: 'plain' | 'added' | 'removed' | 'head' | 'quiet' | 'warning';
}

interface RowPlace {
  readonly columns: number;
  readonly isUnicode: boolean;
}

// The same prompt is drawn many times, and an action may have megabytes.
const known = new WeakMap<Prompt, { readonly key: string; readonly rows: readonly AskedRow[] }>();

/**
 * Everything that a person has to read before an answer, in rows of the screen: the whole of an action or a plan, what
 * shows nothing by its code; of a question its words and its context.
 */
export function askedRows(prompt: Prompt, asker: Asker | undefined, place: RowPlace): readonly AskedRow[] {
  const key = `${place.columns} ${place.isUnicode} ${seenFolder(asker)}`;
  const before = known.get(prompt);
  if (before?.key === key) return before.rows;
  const rows = prompt.kind === 'approval' ? actionRows(prompt, asker, place) : questionRows(prompt, place);
  known.set(prompt, { key, rows });
  return rows;
}

function actionRows({ action }: Prompt, asker: Asker | undefined, place: RowPlace): AskedRow[] {
  if (!action) return [];
  const hidden = hiddenWords(hiddenCharacters(action));
  const warning = hidden === '' ? [] : rowsOf(`! It ${hidden}`, 'warning', place);
  const plan = askedPlan(action);
  if (isEmptyPlan(action)) return rowsOf(emptyPlanWords, 'warning', place);
  if (plan !== undefined)
    return [
      ...warning,
      ...markedText(plan)
        .trim()
        .split('\n')
        .flatMap((line) => rowsOf(line, 'plain', place)),
    ];
  const sheet = actionSheet(action, { folder: seenFolder(asker) });
  return [...warning, ...sheet.flatMap((line) => sheetRows(line, place))];
}

function sheetRows({ kind, name, text, isContinued }: SheetLine, place: RowPlace): AskedRow[] {
  switch (kind) {
    case 'field':
      return rowsOf(`${name}: ${text}`, 'plain', place);
    case 'file':
      return rowsOf(text, 'head', place);
    case 'remark':
      return rowsOf(text, 'quiet', place);
    case 'added':
      return rowsOf(`${isContinued ? '↪' : '+'} ${text}`, 'added', place);
    case 'removed':
      return rowsOf(`${isContinued ? '↪' : '-'} ${text}`, 'removed', place);
    case 'text':
    case 'same':
      return rowsOf(`${isContinued ? '↪' : ' '} ${text}`, 'plain', place);
    default:
      return kind satisfies never;
  }
}

/** No column of what is to be approved may be cut off, so rows are broken where the screen ends. */
function rowsOf(line: string, tone: AskedRow['tone'], { columns, isUnicode }: RowPlace): AskedRow[] {
  const shown = line.replaceAll('\t', '    ');
  return brokenRows(isUnicode ? shown : asciiText(shown), columns).map((text) => ({ text, tone }));
}

function questionRows({ questions }: Prompt, { columns, isUnicode }: RowPlace): AskedRow[] {
  const texts = questions.flatMap(({ question, context }, place) => [
    questions.length === 1 ? plainText(question) : `${place + 1}) ${plainText(question)}`,
    ...(context === undefined ? [] : [plainText(context)]),
  ]);
  return texts.flatMap((text) =>
    wrappedRows((isUnicode ? text : asciiText(text)).replaceAll('\t', '    '), columns).map((row) => ({
      text: row,
      tone: 'plain' as const,
    })),
  );
}
