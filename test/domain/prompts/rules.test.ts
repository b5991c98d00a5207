import { describe, expect, test } from 'vitest';
import { continuedBacktest, newBacktest } from '../../../src/domain/prompts/backtest.js';
import { PromptFold } from '../../../src/domain/prompts/prompt-fold.js';
import type { PromptRules, PromptThread } from '../../../src/domain/prompts/prompt-thread.js';
import { type RuleSource, ruleFrom } from '../../../src/domain/prompts/rule-making.js';
import { rulingOn, type StandingRule } from '../../../src/domain/prompts/rule-match.js';
import { ruledAction } from '../../../src/domain/prompts/ruled-action.js';
import type { ThreadPrompt } from '../../../src/domain/prompts/thread-prompt.js';
import type { EventBody } from '../../../src/protocol/event.js';
import { RuleId } from '../../../src/protocol/id.js';
import type { PromptAction } from '../../../src/protocol/prompt.js';
import type { Question } from '../../../src/protocol/question.js';
import { accepted, answerUuid, askAgainUuid, at, prompt, promptId, runId, threadId } from '../samples.js';

const sha256 = (text: string) => `#${text}`;
const question = (words: string, ...labels: string[]): Question => ({
  question: words,
  multiSelect: false,
  options: labels.map((label) => ({ label })),
});
const may = question('May it?', 'Approve', 'Deny');
const action = (tool: string, input: PromptAction['input']): PromptAction => ({ tool, input, digest: 'd' });

const wanted = (tool: string, input: PromptAction['input']): ThreadPrompt =>
  prompt({ kind: 'approval', questions: [may], action: action(tool, input) });
const asking = (...questions: Question[]): ThreadPrompt => prompt({ kind: 'ask_user_question', questions });
const decided = (asked: ThreadPrompt, approved: boolean, more: Partial<ThreadPrompt> = {}): ThreadPrompt =>
  accepted({
    ...asked,
    state: 'answered',
    actor: 'user:me',
    answer: { decision: { approved } },
    answers: [{ question: may.question, answer: [approved ? 'Approve' : 'Deny'] }],
    ...more,
  });
const said = (asked: ThreadPrompt, answer: string, more: Partial<ThreadPrompt> = {}): ThreadPrompt =>
  accepted({
    ...asked,
    state: 'answered',
    actor: 'user:me',
    answers: asked.questions.map((each) => ({ question: each.question, answer: [answer] })),
    ...more,
  });

const source = (given: ThreadPrompt, place: Partial<RuleSource> = {}): RuleSource => ({
  prompt: given,
  project: '/w',
  cwd: '/w',
  ...place,
});
const made = (given: ThreadPrompt, reach?: 'file' | 'kind' | 'workspace'): StandingRule => ({
  id: RuleId.parse(`rul_${'0'.repeat(26)}`),
  name: 'a-rule',
  version: 1,
  ...ruleFrom([source(given)], { reach, sha256 }),
});
const rules = (rule: StandingRule, asked: ThreadPrompt, place: object = {}) =>
  rulingOn([rule], asked, { project: '/w', cwd: '/w', sha256, isReallyInside: () => true, ...place }) !==
  null;

describe('what rules may be about', () => {
  test.each([
    ['a read', 'Read', { file_path: '/w/src/a.js', limit: 5 }, 'read'],
    ['an edit', 'Edit', { file_path: 'src/a.js', old_string: 'a', new_string: 'b' }, 'edit'],
    ['a new file', 'Write', { file_path: '/w/a.md', content: 'x' }, 'edit'],
    [
      'changes of Codex',
      'Edit',
      { file_path: '/w/a', changes: [{ path: '/w/a', kind: 'update', diff: 'd' }] },
      'edit',
    ],
    ['a command', 'Bash', { command: 'npm test', description: 'tests', timeout: 5 }, 'command'],
    ['a file outside', 'Edit', { file_path: '/etc/passwd' }, undefined],
    ['a way out', 'Edit', { file_path: '/w/../x' }, undefined],
    ['a hidden folder', 'Edit', { file_path: '/w/.git/hooks/pre-commit' }, undefined],
    ['a hidden file', 'Write', { file_path: '/w/src/.env', content: '' }, undefined],
    ['a path with what is not seen', 'Edit', { file_path: '/w/a\u202e.js' }, undefined],
    ['no path', 'Edit', { old_string: 'a' }, undefined],
    ['a field that nobody knows', 'Edit', { file_path: '/w/a', force: true }, undefined],
    [
      'a move',
      'Edit',
      { file_path: '/w/a', changes: [{ path: '/w/a', kind: 'update', movedTo: '/x' }] },
      undefined,
    ],
    ['a deletion', 'Edit', { file_path: '/w/a', changes: [{ path: '/w/a', kind: 'delete' }] }, undefined],
    ['one change outside', 'Edit', { file_path: '', changes: [{ path: '/w/a' }, { path: '/x' }] }, undefined],
    ['changes that are none', 'Edit', { file_path: '/w/a', changes: 'all' }, undefined],
    ['a command in the background', 'Bash', { command: 'x', run_in_background: true }, undefined],
    ['a command without the sandbox', 'Bash', { command: 'x', dangerouslyDisableSandbox: true }, undefined],
    ['a command with what is not seen', 'Bash', { command: 'rm \u202e x' }, undefined],
    ['another tool', 'WebFetch', { url: 'https://example.com' }, undefined],
    ['a tool of a server', 'mcp__a__b', {}, undefined],
    ['a plan', 'plan', { plan: 'x' }, undefined],
    ['a name of an object', 'constructor', {}, undefined],
  ])('%s', (_name, tool, input, what) => {
    expect(ruledAction({ tool, input: { ...input } }, '/w')?.what).toBe(what);
  });
});

describe('a rule', () => {
  const edit = (path: string) => wanted('Edit', { file_path: path, old_string: 'a', new_string: 'b' });

  test.each([
    ['file', '/w/src/a.js', true],
    ['file', '/w/src/b.js', false],
    ['kind', '/w/src/b.js', true],
    ['kind', '/w/src/b.ts', false],
    ['kind', '/w/src/deep/b.js', false],
    ['workspace', '/w/x/y.z', true],
    ['workspace', '/w/.env', false],
    ['workspace', '/x/y.z', false],
  ] as const)('with the reach %s about %s: %s', (reach, path, is) => {
    expect(rules(made(decided(edit('/w/src/a.js'), true), reach), edit(path))).toBe(is);
  });

  test('is for its project, and for files that are really there', () => {
    const rule = made(decided(edit('/w/a'), true), 'workspace');
    expect(rules(rule, edit('/w/a'), { project: '/other' })).toBe(false);
    expect(rules(rule, edit('/w/a'), { isReallyInside: () => false })).toBe(false);
    expect(rules(rule, wanted('Read', { file_path: '/w/a' }))).toBe(false);
  });

  test.each([
    ['the same', { command: 'npm test', description: 'other words' }, true],
    ['one more space', { command: 'npm  test' }, false],
    ['more of it', { command: 'npm test; rm -rf /' }, false],
    ['elsewhere', { command: 'npm test', cwd: '/x' }, false],
  ])('about a command: %s', (_name, input, is) => {
    const rule = made(decided(wanted('Bash', { command: 'npm test' }), true));
    expect(rules(rule, wanted('Bash', input))).toBe(is);
  });

  test.each([
    ['the same', asking(question('Layout?', 'One', 'Two')), true],
    ['other options', asking(question('Layout?', 'One')), false],
    ['of a server', asking({ ...question('Layout?', 'One', 'Two'), server: 's' }), false],
    ['a secret', asking({ ...question('Layout?', 'One', 'Two'), isSecret: true }), false],
    ['of the worker', asking({ ...question('Layout?', 'One', 'Two'), byWorker: true }), false],
  ])('about a question: %s', (_name, asked, is) => {
    const rule = made(said(asking(question('Layout?', 'One', 'Two')), 'One'));
    expect(rules(rule, asked)).toBe(is);
  });

  test('that says something else than another one decides nothing', () => {
    const yes = made(decided(edit('/w/a'), true), 'workspace');
    const no = made(decided(edit('/w/a'), false), 'file');
    const place = { project: '/w', cwd: '/w', sha256, isReallyInside: () => true };
    expect(rulingOn([yes, no], edit('/w/a'), place)).toBeNull();
    expect(rulingOn([yes, no], edit('/w/b'), place)).toBe(yes);
  });

  test.each([
    ['an open prompt', edit('/w/a'), 'no answer of a person'],
    [
      'an answer of a policy',
      decided(edit('/w/a'), true, { actor: 'policy:autonomous' }),
      'no answer of a person',
    ],
    ['what no rule decides', decided(wanted('WebFetch', {}), true), 'no rule decides'],
    [
      'changes',
      decided(edit('/w/a'), true, { answer: { decision: { approved: true, updatedInput: {} } } }),
      'with changes',
    ],
    ['a server', said(asking({ ...question('A?'), server: 's' }), 'x'), 'not asked by an agent'],
  ])('is not made from %s', (_name, given, words) => {
    expect(() => made(given)).toThrow(words);
  });

  test('is made from answers that say the same about the same', () => {
    const one = source(decided(edit('/w/src/a.js'), true));
    const other = source(decided(edit('/v/src/b.js'), true), { cwd: '/v' });
    expect(ruleFrom([one, other], { reach: 'kind', sha256 })).toMatchObject({
      match: { what: 'edit', reach: 'kind', path: 'src/*.js' },
      answer: { decision: { approved: true } },
      words: 'In /w it approves editing src/*.js.',
    });
    expect(() => ruleFrom([one, other], { reach: 'file', sha256 })).toThrow('different rules');
    expect(() =>
      ruleFrom([one, source(decided(edit('/w/src/b.js'), false))], { reach: 'kind', sha256 }),
    ).toThrow('different rules');
  });

  test('is tried on what was answered', () => {
    const rule = made(decided(edit('/w/src/a.js'), true), 'kind');
    const recorded = [
      decided(edit('/w/src/c.js'), false, { id: promptId(7) }),
      decided(edit('/w/src/b.js'), true),
      decided(edit('/w/doc/b.js'), false),
      edit('/w/src/open.js'),
    ].map((each) => source(each));
    const test1 = continuedBacktest(newBacktest(at(1)), rule, { recorded, sha256 });
    expect(test1).toMatchObject({
      looked: 4,
      agreed: 1,
      differed: 1,
      differences: [{ promptId: promptId(7), answered: 'Deny' }],
    });
    expect(continuedBacktest(test1, rule, { recorded, sha256 })).toMatchObject({
      looked: 8,
      agreed: 2,
      differed: 2,
    });
  });
});

describe('a fold with rules', () => {
  const standing = [
    made(decided(wanted('Bash', { command: 'ls' }), true)),
    made(said(asking(question('A?', 'B')), 'B')),
  ];
  const fold = (event: EventBody, place: Partial<PromptThread> = {}, more: Partial<PromptRules> = {}) => {
    const prompts = new PromptFold({
      threadId,
      cwd: '/w',
      seenAs: '/w',
      project: '/w',
      permissions: 'approval',
      launchMode: undefined,
      mode: undefined,
      unanswered: undefined,
      grants: [],
      waitingCall: { state: 'none' },
      prompts: [],
      answerUuid,
      askAgainUuid,
      ...place,
    });
    const rules = {
      newId: () => promptId(1),
      sha256,
      unanswered: {},
      standing,
      isReallyInside: () => true,
      ...more,
    };
    prompts.apply(runId(1), event, { at: at(1), rules });
    return prompts;
  };
  const bash = {
    type: 'permission_request',
    requestId: 'r',
    toolUseId: 't',
    tool: 'Bash',
    input: { command: 'ls' },
  } as const;

  test('answers with the rule as the actor, and asks nobody', () => {
    const prompts = fold(bash);
    expect(prompts.changes.map((change) => change.do)).toEqual(['openPrompt', 'useRule', 'acceptAnswer']);
    expect(prompts.prompts[0]).toMatchObject({
      actor: 'policy:a-rule@1',
      answers: [{ answer: ['Approve'] }],
    });
    expect(prompts.events).toEqual([]);
  });

  test('knows a file by the name that it has in a container, and looks for it on the machine', () => {
    const rule = made(decided(wanted('Edit', { file_path: '/w/src/a.js' }), true));
    const looked: string[][] = [];
    const isReallyInside = (...asked: string[]) => looked.push(asked) > 0;
    const inside = (path: string) =>
      fold(
        { ...bash, tool: 'Edit', input: { file_path: path } },
        { seenAs: '/workspace' },
        { standing: [rule], isReallyInside },
      ).prompts[0]?.actor;
    expect(inside('/workspace/src/a.js')).toBe('policy:a-rule@1');
    expect(looked).toEqual([['/w', 'src/a.js']]);
    expect(inside('/w/src/a.js')).toBeUndefined();
  });

  test('answers a question', () => {
    const prompts = fold({
      type: 'user_question_request',
      requestId: 'r',
      toolUseId: 't',
      questions: [question('A?', 'B')],
    });
    expect(prompts.prompts[0]).toMatchObject({
      actor: 'policy:a-rule@1',
      answers: [{ question: 'A?', answer: ['B'] }],
    });
  });

  test('asks a person what only a person decides, and what no rule is about', () => {
    for (const event of [
      { ...bash, onlyPerson: true },
      { ...bash, input: { command: 'ls -a' } },
    ] as const)
      expect(fold(event).events.map(({ type }) => type)).toEqual(['prompt_asked']);
  });
});
