/** One way in which an agent leaves something where its question is looked for. */
export interface SentinelCase {
  readonly name: string;
  /** Shell, run by the agent in its workspace; `$OUTSIDE` is a folder that is not the agent's. */
  readonly script: string;
  /** What the runner tells, in a few words. */
  readonly seen: string;
  /** Only root may do it. */
  readonly needsRoot?: true;
  /** What is in `.agora` afterwards. */
  readonly kept?: readonly string[];
}

const file = '.agora/needs_input.json';
const aside = ['needs_input.invalid.json'];
const asked = ['needs_input.json'];

const write = (json: string) => `mkdir -p .agora; printf %s '${json}' > ${file}`;
/** A file that JavaScript writes; `w(text)` writes it. */
const node = (code: string) =>
  `mkdir -p .agora; node -e 'const w = (text) => fs.writeFileSync("${file}", text); ${code}'`;
const withState = (bytes: number) =>
  node(`w(JSON.stringify({ question: "Q?", partial_state: "x".repeat(${bytes} - 2) }))`);
const nested = (levels: number) =>
  node(
    `w("{\\"question\\":\\"Q?\\",\\"partial_state\\":" + "[".repeat(${levels}) + "]".repeat(${levels}) + "}")`,
  );

export const sentinelCases: readonly SentinelCase[] = [
  { name: 'no file', script: 'true', seen: 'nothing' },
  { name: 'a question', script: write('{"question":"Q?"}'), seen: 'asked Q?', kept: asked },
  {
    name: 'a question with all fields, and unknown ones',
    script: write(
      '{"question":"Q?","options":["a","b"],"context":"c","partial_state":{"n":[1,null]},"more":1}',
    ),
    seen: 'asked Q? options `["a","b"]` context c state `{"n":[1,null]}`',
    kept: asked,
  },
  {
    name: 'a question, and exit code 3',
    script: `${write('{"question":"Q?"}')}; exit 3`,
    seen: 'asked Q?',
    kept: asked,
  },
  {
    name: 'a byte order mark first',
    script: node(String.raw`w("\ufeff{\"question\":\"Q?\"}")`),
    seen: 'asked Q?',
    kept: asked,
  },
  {
    name: 'duplicate keys: the last one counts',
    script: write('{"question":"first","question":"Q?"}'),
    seen: 'asked Q?',
    kept: asked,
  },
  {
    name: 'a key `__proto__` in the state',
    script: write('{"question":"Q?","partial_state":{"__proto__":{"a":1}}}'),
    seen: 'asked Q? state `{"__proto__":{"a":1}}`',
    kept: asked,
  },
  {
    name: 'a state of null',
    script: write('{"question":"Q?","partial_state":null}'),
    seen: 'asked Q? state `null`',
    kept: asked,
  },
  {
    name: 'a state of exactly 1 MiB',
    script: withState(1_048_576),
    seen: 'asked Q? state of 1048576 bytes',
    kept: asked,
  },
  {
    name: 'a state of one byte more',
    script: withState(1_048_577),
    seen: 'partial_state: partial_state is larger than 1 MiB as JSON',
    kept: aside,
  },
  { name: 'a state nested 500 deep', script: nested(500), seen: 'asked Q? state of 1000 bytes', kept: asked },
  {
    name: 'a state nested 100,000 deep',
    script: nested(100_000),
    seen: 'partial_state: partial_state is nested deeper than 500 levels',
    kept: aside,
  },
  { name: 'an empty file', script: write(''), seen: 'it is not valid JSON', kept: aside },
  {
    name: 'half of a question',
    script: write('{"question":"Q'),
    seen: 'it is not valid JSON',
    kept: aside,
  },
  {
    name: 'a list',
    script: write('[{"question":"Q?"}]'),
    seen: 'Invalid input: expected object, received array',
    kept: aside,
  },
  { name: 'null', script: write('null'), seen: 'Invalid input: expected object, received null', kept: aside },
  {
    name: 'no question',
    script: write('{"options":["a"]}'),
    seen: 'question: Invalid input: expected string, received undefined',
    kept: aside,
  },
  {
    name: 'a blank question',
    script: write(String.raw`{"question":" \n\t"}`),
    seen: 'question: The question is blank',
    kept: aside,
  },
  {
    name: 'an option that is no text',
    script: write('{"question":"Q?","options":["a",2]}'),
    seen: 'options.1: Invalid input: expected string, received number',
    kept: aside,
  },
  {
    name: 'invalid UTF-8',
    script: String.raw`mkdir -p .agora; printf '{"question":"\377?"}' > .agora/needs_input.json`,
    seen: 'it is not valid UTF-8',
    kept: aside,
  },
  {
    name: 'a link to a file outside',
    script: `mkdir -p .agora; ln -s "$OUTSIDE/needs_input.json" ${file}`,
    seen: 'it cannot be opened (ELOOP)',
    kept: aside,
  },
  {
    name: 'a hard link to a file outside',
    script: `mkdir -p .agora; ln "$OUTSIDE/needs_input.json" ${file}`,
    seen: 'it is a hard link to a file elsewhere',
    kept: aside,
  },
  {
    name: '.agora is a link to a folder outside',
    script: 'rm -rf .agora; ln -s "$OUTSIDE" .agora',
    seen: '.agora is not a folder of the workspace, so it is not followed',
  },
  {
    name: 'a pipe',
    script: `mkdir -p .agora; mkfifo ${file}`,
    seen: 'it is not a regular file',
    kept: aside,
  },
  {
    name: 'a device',
    script: `mkdir -p .agora; mknod ${file} c 1 5`,
    needsRoot: true,
    seen: 'it is not a regular file',
    kept: aside,
  },
  { name: 'a folder', script: `mkdir -p ${file}/deep`, seen: 'it is not a regular file', kept: aside },
  {
    name: 'a sparse file of 10 GB',
    script: `mkdir -p .agora; truncate -s 10G ${file}`,
    seen: 'it is larger than 4194304 bytes',
    kept: aside,
  },
];
