import { isForProjects, parseSetting, refusalOf, settingKeys } from '../../src/cli/settings/settings.js';
import { KeyDecoder } from '../../src/cli/terminal/key.js';
import { actionSheet } from '../../src/domain/prompts/action-sheet.js';
import { answersFromText, decisionOf, partsOf } from '../../src/domain/prompts/answer.js';
import { choicesFromText } from '../../src/domain/prompts/choice.js';
import { longestLine } from '../../src/domain/prompts/text-sheet.js';
import { observedStatus, signsOf } from '../../src/domain/status/observed-status.js';
import { actionWords } from '../../src/domain/words/action-words.js';
import { askWords } from '../../src/domain/words/ask-words.js';
import { patchLines } from '../../src/domain/words/difference.js';
import { PlainStream } from '../../src/domain/words/plain-stream.js';
import { plainLine, plainText, unseenCharacters } from '../../src/domain/words/plain-text.js';
import { toolWords } from '../../src/domain/words/tool-words.js';
import { reachOf } from '../../src/host/notify/address-reach.js';
import { noticeText } from '../../src/host/notify/notice-text.js';
import { AllowedHosts } from '../../src/http/allowed-hosts.js';
import { LineSplitter } from '../../src/process/children/line-splitter.js';
import { parseStat } from '../../src/process/families/linux-processes.js';
import { parseChangedFiles } from '../../src/process/git/changed-file.js';
import { parseGitStatus } from '../../src/process/git/git-status.js';
import { readHunks } from '../../src/process/git/hunks.js';
import { fitPatches, splitPatches } from '../../src/process/git/patch.js';
import { parseTreeChanges } from '../../src/process/git/tree-changes.js';
import { readCommand } from '../../src/protocol/command.js';
import { AttachFrame, HelloFrame, LaunchFrame } from '../../src/protocol/detached.js';
import { DispatchRequest } from '../../src/protocol/dispatch.js';
import { eventDefinitions, eventSchema } from '../../src/protocol/event.js';
import { Failure } from '../../src/protocol/failure.js';
import { keysOf } from '../../src/protocol/keys.js';
import { readNeedsInput } from '../../src/protocol/needs-input.js';
import { ParagraphBuffer } from '../../src/runner/paragraph-buffer.js';
import { hookNews } from '../../src/runtimes/claude/hook-news.js';
import { openCallWords } from '../../src/runtimes/claude/open-call.js';
import { claudeQuestions } from '../../src/runtimes/claude/questions.js';
import { hookNames, readHook, readMessage } from '../../src/runtimes/claude/wire.js';
import { rolloutStatus } from '../../src/runtimes/codex/rollout-status.js';
import { unwrapped } from '../../src/runtimes/codex/shell-words.js';
import { speaksOfCodexLogin } from '../../src/runtimes/codex/turn-error.js';
import { readNotification, readRequest } from '../../src/runtimes/codex/wire.js';
import { wordsOf } from '../../src/runtimes/command-words.js';
import { expandText } from '../../src/runtimes/mcp-servers.js';
import { lineNews } from '../../src/runtimes/observed-line.js';
import { serverSessions } from '../../src/runtimes/opencode/observed-server.js';
import { opencodeErrorKind, opencodeLoginSentence } from '../../src/runtimes/opencode/turn-error.js';
import { readEvent } from '../../src/runtimes/opencode/wire.js';
import { importsIn } from '../../src/runtimes/project-instructions.js';
import { DirectiveError, DirectiveReader } from '../../src/simulator/directive-reader.js';
import { hunkLines, linePairs } from '../../src/web/review/hunk-lines.js';

/** Reads one text, and gives what is wrong with what it made of it; a Failure is a proper refusal. */
export type Parser = (text: string, value: unknown) => string | null;

const asked = (question: string) => ({
  kind: 'ask_user_question' as const,
  questions: [{ question, multiSelect: true, options: [{ label: question }, { label: 'B' }] }],
});

const aHunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, heading: '' };

/** Everything that takes in what an agent, a repository, a model, a runner or a stranger says. */
export const parsers: Readonly<Record<string, Parser>> = {
  plainText: (text) => seen(plainText(text)),
  'plainText with a length': (text) => {
    const short = plainText(text, { maxLength: 40 });
    return short.length > 40 ? `${short.length} characters` : seen(short);
  },
  plainLine: (text) => (plainLine(text).includes('\n') ? 'it has a line break' : seen(plainLine(text))),
  'PlainStream by the piece': (text) => {
    const [whole, byPiece] = [new PlainStream(), new PlainStream()];
    const once = whole.push(text) + whole.flush();
    const pieces =
      Array.from(text)
        .map((piece) => byPiece.push(piece))
        .join('') + byPiece.flush();
    return once === pieces ? null : 'pieces give something else';
  },
  noticeText: (text) => seen(noticeText(text, 200)),
  toolWords: (text, value) => seen(toolWords(text, recordOf(value))),
  actionWords: (text, value) => seen(JSON.stringify(actionWords({ tool: text, input: recordOf(value) }))),
  actionSheet: (text, value) => {
    const input = { [text]: value, [`${text}${'n'.repeat(120)}`]: { value }, edits: [recordOf(value)] };
    const lines = actionSheet({ input, reason: text });
    const long = lines.find((line) => Math.max(line.text.length, line.name?.length ?? 0) > longestLine);
    return long ? 'a line is long' : seen(lines.map((line) => `${line.name ?? ''}${line.text}`).join('\n'));
  },
  askWords: (text) => seen(askWords(asked(text), undefined)),
  answersFromText: (text) => (answersFromText(asked('A'), text).length === 1 ? null : 'no answer'),
  partsOf: (text) => all([partsOf(text, 2), partsOf(`1) ${text} 2) ${text}`, 2)]),
  importsIn: (text) => all(importsIn(`@${text}`)),
  expandText: (text) => (text.includes('${') || expandText(text, {}) === text ? null : 'it changed'),
  speaksOfCodexLogin: (text) => all([speaksOfCodexLogin(text)]),
  choicesFromText: (text) => all(choicesFromText(asked(text).questions[0] ?? never(), text)),
  decisionOf: (text) =>
    decisionOf([{ question: 'May the agent?', answer: [text] }]).approved &&
    !/^(approve|yes|y|ok|1)/i.test(text.trim())
      ? 'it approves'
      : null,
  KeyDecoder: (text) => {
    const decoder = new KeyDecoder();
    return all(Array.from(text).flatMap((piece) => decoder.push(piece)));
  },
  ParagraphBuffer: (text) => {
    const buffer = new ParagraphBuffer();
    const out = [...Array.from(text).flatMap((piece) => buffer.push(piece)), ...buffer.flush()];
    return out.join('') === text ? null : 'the text is not the same';
  },
  LineSplitter: (text) => {
    const bytes = Buffer.from(text);
    const lines = (size: number) => {
      const splitter = new LineSplitter({ maxBytes: 64 });
      const found = [];
      for (let at = 0; at < bytes.length; at += size)
        found.push(...splitter.push(bytes.subarray(at, at + size)));
      return JSON.stringify([...found, ...splitter.end()]);
    };
    return lines(1) === lines(7) && lines(7) === lines(bytes.length + 1) ? null : 'pieces give other lines';
  },
  parseStat: (text) => all([parseStat(text, 'boot'), parseStat(`1 (${text}) S 1 1 1`, 'boot')]),
  parseGitStatus: (text) => all([parseGitStatus(text)]),
  parseChangedFiles: (text) => all(parseChangedFiles(text)),
  parseTreeChanges: (text) =>
    parseTreeChanges(text).every(({ kind }) => kind !== undefined) ? null : 'no kind',
  readHunks: (text) =>
    readHunks(text, 100).hunks.every(({ lines }) => lines.every((line) => /^[ +\-\\]/.test(line)))
      ? null
      : 'a line without a mark',
  splitPatches: (text) => {
    const patches = splitPatches(text);
    const fitted = fitPatches(patches, 100);
    return all([patches, fitted]);
  },
  patchLines: (text) => all(patchLines(text)),
  hunkLines: (text) => {
    const lines = hunkLines({ ...aHunk, lines: text.split('\n').map((line) => ` ${line}`) }, 'a.ts');
    const shown = lines.map(({ parts }) => parts.map((part) => part.text).join(''));
    if (shown.join('\n') !== text) return 'something is missing';
    return all(linePairs(lines));
  },
  readNeedsInput: (text, value) =>
    all([
      readNeedsInput({ ok: true, text }),
      readNeedsInput({ ok: true, text: JSON.stringify(value) ?? '' }),
    ]),
  readCommand: (text, value) =>
    all([readCommand(text), readCommand(value), readCommand({ type: 'message', content: value })]),
  'frames of the link': (_text, value) =>
    all([HelloFrame, AttachFrame, LaunchFrame].map((frame) => frame.safeParse(value).success)),
  'events of a runner': (_text, value) =>
    all(
      keysOf(eventDefinitions).map(
        (type) => eventSchema(type).safeParse({ ...recordOf(value), type }).success,
      ),
    ),
  'a request for work': (_text, value) => all([DispatchRequest.safeParse(value).success]),
  readMessage: (_text, value) => all([readMessage(value)]),
  readHook: (_text, value) => all(hookNames.map((name) => readHook(name, value))),
  claudeQuestions: (_text, value) => all([claudeQuestions(value), claudeQuestions({ questions: [value] })]),
  readNotification: (text, value) =>
    all([readNotification(text, value), readNotification('item/started', value)]),
  readEvent: (text, value) =>
    all([
      readEvent(value),
      readEvent({ type: text, properties: value }),
      readEvent({ type: 'message.part.updated', properties: { part: value } }),
    ]),
  lineNews: (text, value) => all([lineNews(text), lineNews(value), lineNews({ type: text, subtype: text })]),
  hookNews: (text, value) =>
    all([hookNews(value), hookNews({ session_id: text, hook_event_name: text, tool_input: value })]),
  openCallWords: (text, value) =>
    all([openCallWords([text, JSON.stringify({ message: { content: [value] } })])]),
  rolloutStatus: (text, value) => {
    const payload = { ...recordOf(value), type: `${text}_call`, call_id: text };
    const line = JSON.stringify({ timestamp: text, type: 'response_item', payload });
    return all([rolloutStatus([text, line], 0)]);
  },
  serverSessions: (_text, value) => {
    const list = [value, recordOf(value)];
    return all(serverSessions({ sessions: list, statuses: value, permissions: list, questions: list }, 0));
  },
  observedStatus: (text) => {
    const asking = {
      fact: 'said_asking',
      source: 's',
      confidence: 'strong',
      at: '2026-01-01T00:00:00.000Z',
    } as const;
    const status = observedStatus(signsOf([asking]), text);
    return seen(status.state === 'question' ? (status.prompt ?? '') : 'no question');
  },
  opencodeErrorKind: (text) => all([opencodeErrorKind({ message: text }), opencodeLoginSentence(text)]),
  readRequest: (text, value) => all([readRequest(text, value)]),
  unwrapped: (text) => all([unwrapped(text), unwrapped(`bash -lc ${text}`)]),
  wordsOf: (text) => all(wordsOf(text)),
  DirectiveReader: (text) => all(new DirectiveReader(`[[tool ${text}`).readAll()),
  reachOf: (text) =>
    reachOf(text) === 'public' && !/^[\d.:a-f]+$/i.test(text) ? 'it is said to be public' : null,
  AllowedHosts: (text) => {
    const hosts = new AllowedHosts({ port: 7411, bound: '127.0.0.1', configured: [] });
    return hosts.hasHost(text) || hosts.hasOrigin(text) ? 'it is let in' : null;
  },
  settings: (text, value) =>
    all(
      settingKeys.map((key) => [parseSetting(key, text), isForProjects(key, value), refusalOf(key, value)]),
    ),
};

/** Whether somebody refused properly. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Failure || error instanceof DirectiveError;
}

function seen(text: string): string | null {
  const unseen = [...unseenCharacters(text).keys()].filter((name) => name !== 'U+000A' && name !== 'U+0009');
  return unseen.length === 0 ? null : `it shows ${unseen.join(', ')}`;
}

function all(_parsed: readonly unknown[]): null {
  return null;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { value };
}

function never(): never {
  throw new Error('no question');
}
