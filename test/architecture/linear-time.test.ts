// @module-tag full
import { expect, it } from 'vitest';
import { printedRows } from '../../src/cli/ask/printed-rows.js';
import { fit, fitEnd } from '../../src/cli/terminal/fit.js';
import { KeyDecoder } from '../../src/cli/terminal/key.js';
import { LiveText } from '../../src/cli/terminal/live-text.js';
import { tableLines } from '../../src/cli/terminal/table.js';
import { emptyField, fieldLine, typed } from '../../src/cli/terminal/text-field.js';
import { actionSheet } from '../../src/domain/prompts/action-sheet.js';
import { answersFromText, partsOf } from '../../src/domain/prompts/answer.js';
import { choicesFromText } from '../../src/domain/prompts/choice.js';
import { questionText } from '../../src/domain/prompts/prompt-text.js';
import { typedAnswer, typedDecision, typedDenial } from '../../src/domain/prompts/typed-answer.js';
import { actionWords } from '../../src/domain/words/action-words.js';
import { differenceOf, patchLines } from '../../src/domain/words/difference.js';
import { hiddenCharacters, markedLine, markedText } from '../../src/domain/words/marked-text.js';
import { PlainStream } from '../../src/domain/words/plain-stream.js';
import { plainLine, plainText, unseenCharacters } from '../../src/domain/words/plain-text.js';
import { toolWords } from '../../src/domain/words/tool-words.js';
import { noticeText } from '../../src/host/notify/notice-text.js';
import { LineSplitter } from '../../src/process/children/line-splitter.js';
import { TailText } from '../../src/process/children/tail-text.js';
import { branchWords, isBranchName } from '../../src/process/git/branch-name.js';
import { parseChangedFiles } from '../../src/process/git/changed-file.js';
import { parseGitStatus } from '../../src/process/git/git-status.js';
import { readHunks } from '../../src/process/git/hunks.js';
import { fitPatches, splitPatches } from '../../src/process/git/patch.js';
import { parseTreeChanges } from '../../src/process/git/tree-changes.js';
import type { Hunk } from '../../src/protocol/changes.js';
import { readNeedsInput } from '../../src/protocol/needs-input.js';
import { ParagraphBuffer } from '../../src/runner/paragraph-buffer.js';
import { unwrapped } from '../../src/runtimes/codex/shell-words.js';
import { codexLoginSentence, speaksOfCodexLogin } from '../../src/runtimes/codex/turn-error.js';
import { wordsOf } from '../../src/runtimes/command-words.js';
import { expandText } from '../../src/runtimes/mcp-servers.js';
import { opencodeErrorKind, opencodeLoginSentence } from '../../src/runtimes/opencode/turn-error.js';
import { importsIn } from '../../src/runtimes/project-instructions.js';
import { repliesIn } from '../../src/simulator/directives.js';
import { isWithinMarkdownLimit } from '../../src/web/parts/markdown-limit.js';
import { hunkLines, linePairs } from '../../src/web/review/hunk-lines.js';
import { promptId } from '../domain/samples.js';

// Long enough that what takes time with the square of it takes seconds, and what does not takes milliseconds.
const length = 30_000;
const quickMs = 150;
const tries = 6;
// A hundred times what most take, so that only a reader that works too hard for each character is found.
const mostMsPerUnit = 0.002;
// The same as work: on a busy machine everything takes longer, and this loop with it.
const mostStepsPerUnit = 3000;

/** Everything that reads an agent's text as it is, and what a person pastes. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  plainText: (text) => plainText(text),
  'plainText with a length': (text) => plainText(text, { maxLength: text.length / 2 }),
  plainLine: (text) => plainLine(text),
  unseenCharacters,
  'PlainStream by the piece': (text) => {
    const stream = new PlainStream();
    for (const piece of pieces(text, 100)) stream.push(piece);
    return stream.flush();
  },
  'PlainStream at once': (text) => {
    const stream = new PlainStream();
    return stream.push(text) + stream.flush();
  },
  'TailText by the piece': (text) => {
    const tail = new TailText(text.length / 3);
    for (const piece of pieces(text, 10)) tail.push(Buffer.from(piece));
    return tail.toString();
  },
  noticeText: (text) => noticeText(text, 1000),
  toolWords: (text) => toolWords('Bash', { command: text }),
  questionText: (text) =>
    questionText({
      id: promptId(1),
      kind: 'ask_user_question',
      questions: [question(text)],
      action: { tool: 'Bash', input: { command: text }, digest: '' },
    }),
  'choicesFromText of an option': (text) => choicesFromText(question(text), '1, 2'),
  'choicesFromText of an answer': (text) => choicesFromText(question('a,b'), text),
  fit: (text) => fit(text, 80),
  fitEnd: (text) => fitEnd(text, 80),
  tableLines: (text) => tableLines([{ header: 'A', isFlexible: true }], [[{ text }]], { width: 80 }),
  'a text field': (text) => {
    const field = typed(emptyField, { kind: 'paste', text });
    return [fieldLine(typed(field, { kind: 'erase_word' })), fieldLine(typed(field, { kind: 'backspace' }))];
  },
  'KeyDecoder with a paste': (text) => {
    const decoder = new KeyDecoder();
    decoder.push('\u001B[200~');
    for (const piece of pieces(text, 100)) decoder.push(piece);
    return decoder.push('\u001B[201~');
  },
  LiveText: (text) => {
    const live = new LiveText();
    for (const piece of pieces(text, 100)) live.piece(piece);
    return pieces(text, 4000).map((paragraph) => live.paragraph(paragraph));
  },
  ParagraphBuffer: (text) => {
    const buffer = new ParagraphBuffer();
    return [...pieces(text, 1000).flatMap((piece) => buffer.push(piece)), ...buffer.flush()];
  },
  unwrapped: (text) => [unwrapped(text), unwrapped(`/bin/bash -lc ${text}`)],
  patchLines,
  'hunkLines of a file': (text) => linePairs(hunkLines(hunkOf([`+${text}`]), 'a.ts')),
  'hunkLines of many lines': (text) =>
    linePairs(hunkLines(hunkOf(pieces(text, 40).flatMap((line) => [`-${line}`, `+${line}x`])), 'a.py')),
  markedText,
  'actionSheet of a file': (text) => actionSheet({ input: { file_path: 'a', content: text } }),
  'actionSheet of an edit': (text) =>
    actionSheet({ input: { old_string: text, new_string: `${text.slice(1)}.` } }),
  'actionSheet of other fields': (text) => actionSheet({ input: { command: text } }),
  // CWE-407: each line told the whole way to it, and each edit had a search of its own.
  'actionSheet of a long name around many fields': (text) =>
    actionSheet({ input: { [text]: Object.fromEntries(pieces(text, 8).map((_, index) => [index, 1])) } }),
  'actionSheet of names within names': (text) =>
    actionSheet({
      input: pieces(text, text.length / 20).reduce<Record<string, unknown>>(
        (inner, name) => ({ [name]: inner, list: pieces(text, 40).map(() => 0) }),
        {},
      ),
    }),
  'actionWords of a tool': (text) => [
    actionWords({ tool: text, input: {} }),
    actionWords({ tool: `mcp__${text}`, input: {} }),
  ],
  'actionWords of a path': (text) => actionWords({ tool: 'Edit', input: { file_path: text } }, text),
  hiddenCharacters,
  markedLine,
  importsIn: (text) => [importsIn(text), importsIn(`@a${text}`), importsIn(`@a${text}b`)],
  partsOf: (text) => [partsOf(text, 2), partsOf(`1) a${text}b`, 2), partsOf(`1) a${text}2) b`, 2)],
  answersFromText: (text) =>
    answersFromText({ kind: 'ask_user_question', questions: [question('a'), question('b')] }, text),
  // Each was super-linear: 'no' before commas and a line separator, and a directive with one long word.
  typedDenial: (text) => [typedDenial(text), typedDenial(`no${text}a\u2028`), typedDenial(`no, a${text}`)],
  'repliesIn of the simulator': (text) => [
    refused(() => repliesIn(text)),
    ...['text', 'error', 'tool', 'deltas', 'usage', 'ask', 'huge'].flatMap((name) => [
      refused(() => repliesIn(`[[${name} ${text}]]`)),
      refused(() => repliesIn(`[[${name} ${text}`)),
      refused(() => repliesIn(`<<${name} "${text}>>`)),
    ]),
  ],
  typedAnswer: (text) => [
    typedDecision(text),
    typedAnswer({ kind: 'ask_user_question', questions: [question('a')] }, text),
  ],
  'choicesFromText of many options': (text) =>
    choicesFromText(
      { ...question('a'), options: pieces(text, 300).map((label) => ({ label })) },
      pieces(text, 3).join(','),
    ),
  speaksOfCodexLogin: (text) => [speaksOfCodexLogin(text), codexLoginSentence(text)],
  opencodeErrorKind: (text) => [opencodeErrorKind({ message: text }), opencodeLoginSentence(text)],
  expandText: (text) => [expandText(text, {}), expandText(`\${A:-${text}`, {})],
  branchWords: (text) => [branchWords(text, 50), isBranchName(text)],
  wordsOf: (text) => refused(() => wordsOf(text)),
  'LineSplitter by the piece': (text) => {
    const splitter = new LineSplitter({ maxBytes: 2 * length });
    return [
      ...pieces(text, 10).flatMap((piece) => [...splitter.push(Buffer.from(piece))]),
      ...splitter.end(),
    ];
  },
  parseGitStatus,
  parseChangedFiles,
  parseTreeChanges,
  readHunks: (text) => readHunks(`@@ -1 +1 @@\n${text}`, text.length / 2),
  splitPatches: (text) => fitPatches(splitPatches(text), text.length / 2),
  readNeedsInput: (text) => readNeedsInput({ ok: true, text: JSON.stringify({ question: text }) }),
  printedRows: (text) => printedRows(text, { columns: 80, rows: 24 }),
  differenceOf: (text) => differenceOf(text, text.slice(1)),
  isWithinMarkdownLimit,
};

// What a sequence, a paragraph, a patch or a word begins or goes on with, each repeated, and one that never ends before it.
const repeated = [
  ['\u001B', '\u001B[', '\u001B]', '\u001BP', '\u001BX', '\u001B^', '\u001B_', '\u001B(', '\u001B\\'],
  ['\u0090', '\u0098', '\u009B', '\u009C', '\u009D', '\u009E', '\u009F', '\u0007', '\u0018', '\u0000'],
  [';?', ';', '?', '0', '9:', '!', ' ', '/', ' m', '\t', 'm', '@'],
  ['\r', '\n', '\r\n', '\n ', ' \n', '\n\n', '\u2028', '\u0085', 'a\n', 'b c ', ','],
  ['\u200B', '\u200D', '\uFE0F', '👩\u200D', '1\uFE0F', '\u0301', '\u{E0041}', '\uD83D', '\uDC69', '🇩', '🎉'],
  [
    '.',
    '1) ',
    'a-',
    'a="',
    '[[text ',
    '401 ',
    'api key ',
    '__',
    'mcp__',
    '${A:-',
    '${A',
    '@',
    '@. ',
    '`',
    '```\n',
    '~~~\n',
    '\u0301\u0323',
  ],
  ["'", '"', '\\', '\\"', "'a'", '+', '-', '@@', 'diff --git ', ' b/', '日本'],
].flat();
const begins = ['', '\u001B]0;'];
const patterns = repeated.flatMap((part) => begins.map((begin) => ({ begin, part })));

it.each(Object.entries(readers))(
  '%s takes time with the length of a text, whatever the text is',
  (_, read) => {
    read('warm');
    const slow = patterns.filter((pattern) => !isLinear(read, pattern));
    expect(slow).toEqual([]);
  },
);

it('many edits share one search for their differences (CWE-407)', () => {
  expect(isLinear(sheetOfEdits, { begin: '', part: 'ab;' }, { size: 100_000 })).toBe(true);
  expect(timeOf(sheetOfEdits, 'ab;'.repeat(100_000))).toBeLessThan(3000);
});

it('a reader that takes time with the square of it is found', () => {
  const pattern = { begin: '', part: ';' };
  // Large enough that no machine does the square of it in the time that counts as quick.
  const anyTime = { size: 20_000, mostMs: Number.POSITIVE_INFINITY };
  expect(isLinear(({ length: size }) => steps(size * 20_000), pattern, anyTime)).toBe(true);
  expect(isLinear(({ length: size }) => steps(size * size), pattern, anyTime)).toBe(false);
  expect(timeOf((text) => `${text}.`.replace(/;+$/, ''), ';'.repeat(60_000))).toBeGreaterThan(quickMs);
});

it('a reader that takes too long for every character is found', () => {
  expect(isLinear(({ length: size }) => steps(size * 20_000), { begin: '', part: ';' }, { size: 3000 })).toBe(
    false,
  );
});

function steps(count: number): number {
  let sum = 0;
  for (let step = 0; step < count; step += 1) sum ^= step;
  return sum;
}

/**
 * Twice the text takes about twice the time, and no character takes long. The time is the processor's and the least of
 * several tries, because others may keep the machine busy.
 */
function isLinear(
  read: (text: string) => unknown,
  pattern: { begin: string; part: string },
  { size = length, mostMs = 2 * size * mostMsPerUnit }: { size?: number; mostMs?: number } = {},
): boolean {
  const [once, twice] = [textOf(pattern, size), textOf(pattern, 2 * size)];
  let [onceMs, twiceMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let turn = 0; turn < tries; turn += 1) {
    twiceMs = Math.min(twiceMs, timeOf(read, twice));
    if (twiceMs < Math.min(quickMs, mostMs)) return true;
    onceMs = Math.min(onceMs, timeOf(read, once));
    if (turn === 0 || twiceMs > 3 * onceMs) continue;
    if (twiceMs <= mostMs || twiceMs <= timeOf(() => steps(2 * size * mostStepsPerUnit), '')) return true;
  }
  return false;
}

function timeOf(read: (text: string) => unknown, text: string): number {
  const start = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function textOf({ begin, part }: { begin: string; part: string }, size: number): string {
  return begin + part.repeat(Math.ceil(size / part.length));
}

function hunkOf(lines: string[]): Hunk {
  return { oldStart: 1, oldLines: lines.length, newStart: 1, newLines: lines.length, heading: '', lines };
}

function pieces(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

function refused(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

function question(text: string) {
  return { question: text, options: [{ label: text }, { label: 'b' }], multiSelect: true };
}

function sheetOfEdits(text: string): unknown {
  const edits = pieces(text, 1000).map((piece, at) => {
    const lines = pieces(piece, 3).map((line, index) => `${line}${index}`);
    return { old_string: lines.join('\n'), new_string: lines.map((line) => `${line} ${at}`).join('\n') };
  });
  return actionSheet({ input: { file_path: 'a', edits } });
}
