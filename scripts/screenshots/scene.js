// What the pictures show: pieces of work, and what the scripted model says to each, round by round.

/** @typedef {{ title: string, text: string, folder: string, request?: object, rounds: object[][] }} Work */

const ask = (/** @type {string} */ question, /** @type {object[]} */ options, more = {}) => ({
  tool: 'AskUserQuestion',
  input: { questions: [{ question, header: 'Choice', multiSelect: false, options, ...more }] },
});
const bash = (/** @type {string} */ command, more = {}) => ({ tool: 'Bash', input: { command, ...more } });
const text = (/** @type {string} */ words) => ({ text: words });
const autonomous = { permissions: 'autonomous' };

/** @type {Work[]} */
export const works = [
  {
    title: 'Make the checkout tests reliable',
    text: 'The checkout tests fail about once in ten runs. Find out why and fix it.',
    folder: 'shop',
    request: { ...autonomous, verify: 'test -f src/clock.js' },
    rounds: [
      [
        { think: 'Once in ten points to time or order. First see what the tests do with the clock.' },
        text('I will look at the tests first, then at what they share.'),
        bash('grep -rn "Date.now" src test | head'),
        bash('ls src test'),
      ],
      [
        text(
          'Two tests read the **real clock**. `expires-soon` passes only while the minute does not change:\n\n| test | reads | fails when |\n| --- | --- | --- |\n| expires-soon | `Date.now()` | the minute turns |\n| totals | order of keys | never, by luck |\n',
        ),
        {
          tool: 'Agent',
          input: {
            description: 'Look for other clocks',
            prompt: 'Search for other places that read the clock.',
            run_in_background: false,
          },
        },
      ],
      [
        {
          tool: 'Write',
          input: {
            file_path: 'src/clock.js',
            content: 'export const clock = { now: () => Date.now() };\n',
          },
        },
        bash('echo "12 passed"'),
      ],
      [
        text(
          'Fixed. The clock is passed in now, and the tests hold it still:\n\n- `src/clock.js` is the only place that reads the time\n- `expires-soon` sets it to noon\n- ran the suite 50 times: **50 passed**',
        ),
      ],
    ],
  },
  {
    title: 'Look for other clocks',
    text: 'Search for other places that read the clock.',
    folder: '',
    rounds: [[bash('grep -rln "new Date()" src || true')], [text('Nobody else reads it.')]],
  },
  {
    title: 'Translate the error messages',
    text: 'Move every user-facing error message into the translation files.',
    folder: 'shop',
    request: autonomous,
    rounds: [[text('All 48 messages are in `locales/en.json` now.')]],
  },
  {
    title: 'Remove the old payment gateway',
    text: 'Remove the gateway that nobody uses since March.',
    folder: 'billing',
    request: { ...autonomous, verify: 'false', retries: 0 },
    rounds: [[text('Removed. The type check still complains about one import.')]],
  },
  {
    title: 'Delete stale feature flags',
    text: 'Remove the flags that are on for everybody since last year.',
    folder: 'shop',
    rounds: [
      [
        text('Seven flags are on for everyone. I will remove them and run the tests.'),
        bash('npx flags prune --older-than 365d --yes && npm test', {
          description: 'Remove old flags and test',
        }),
      ],
      [text('Done.')],
    ],
  },
  {
    title: 'Delete stale feature flags',
    text: 'Remove the flags of the admin app that are on for everybody since last year.',
    folder: 'admin',
    rounds: [
      [
        text('The admin app has the same seven flags.'),
        bash('npx flags prune --older-than 365d --yes && npm test', {
          description: 'Remove old flags and test',
        }),
      ],
      [text('Done.')],
    ],
  },
  {
    title: 'Word the page for missing orders',
    text: 'Write the page that is shown for an order that is not there.',
    folder: 'shop',
    rounds: [
      [
        text('Two tones fit. The rest of the shop is plain.'),
        ask('Which tone should the page for missing orders have?', [
          { label: 'Plain', description: 'Says what happened and what to do' },
          { label: 'Warm', description: 'Apologises first' },
        ]),
      ],
      [text('Plain it is.')],
    ],
  },
  {
    title: 'Choose a layout for the order page',
    text: 'Make the order page usable on phones.',
    folder: 'shop',
    rounds: [
      [
        text('Both layouts work with the data we have. The cards need no horizontal scrolling.'),
        ask('Which layout should the order page have on phones?', [
          {
            label: 'Cards',
            description: 'One card per order, the newest on top',
            preview:
              '┌───────────────────┐\n│ #1042     €48.00  │\n│ ● on its way      │\n├───────────────────┤\n│ #1041     €12.50  │\n│ ✓ delivered       │\n└───────────────────┘',
          },
          {
            label: 'Table',
            description: 'Three columns, the rest behind a tap',
            preview: '#1042 │ €48.00 │ on its way\n#1041 │ €12.50 │ delivered\n#1037 │ €99.00 │ delivered',
          },
        ]),
      ],
      [text('Cards it is.')],
    ],
  },
  {
    title: 'Speed up the search page',
    text: 'The search page takes three seconds. Bring it under one.',
    folder: 'shop',
    request: autonomous,
    rounds: [
      [
        text('The index is rebuilt on every request. I will measure that first.'),
        bash('tail -f log/search.log'),
      ],
    ],
  },
  {
    title: 'Upgrade the web framework',
    text: 'Upgrade to the next major version and fix what breaks.',
    folder: 'admin',
    request: { ...autonomous, workspace: { worktree: true } },
    rounds: [[text('Reading the migration guide.'), bash('tail -f log/build.log')]],
  },
  {
    title: 'Write the release notes',
    text: 'Write the notes for 4.2 from the merged pull requests.',
    folder: 'docs',
    request: autonomous,
    rounds: [[text('Later.')]],
  },
];

/** The whole scene as a script of the simulator. */
export const script = {
  replies: works.flatMap(({ text: prompt, rounds }) =>
    rounds.map((blocks, round) => ({
      when: { prompt, round },
      blocks,
      usage: { inputTokens: 9000 + round * 7000, outputTokens: 420, cacheReadTokens: 52_000 },
    })),
  ),
};
