// @module-tag full
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Event } from '../../../src/protocol/event.js';
import { openStage, type Stage } from '../../harness/stage.js';
import { Driver } from '../driver.js';
import { bash, tool } from '../prompting.js';
import { only } from '../stable.js';
import { type SentinelCase, sentinelCases } from './cases.js';

const page = new URL('../../../docs/needs-input.md', import.meta.url).pathname;
const secret = '{"question":"From outside?"}';

/** A runtime that stays alive between turns, and one whose process ends with each. */
const runtimes = {
  claude: {
    args: ['--runtime', 'claude'],
    // Joined to one line, because a directive is one.
    message: (script: string) => `${bash(script)} [[next]] [[text I wait.]]`,
  },
  exec: { args: ['--runtime', 'exec', '--command', 'sh -c {prompt}'], message: (script: string) => script },
} as const;

const possible = sentinelCases.filter(({ needsRoot }) => !needsRoot || process.getuid?.() === 0);

let stage: Stage;
let cwd: string;
let outside: string;
const seen = new Map<string, Partial<Record<keyof typeof runtimes, string>>>();

beforeAll(async () => {
  stage = await openStage('claude');
  cwd = join(stage.home, 'tree');
  outside = join(stage.home, 'outside');
  await mkdir(outside);
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  process.stdout.write(`\n${table().join('\n')}\n`);
});

describe.each(Object.keys(runtimes) as (keyof typeof runtimes)[])('what %s leaves', (name) => {
  let runner: Driver;
  beforeAll(async () => {
    await mkdir(cwd);
    const env = { OUTSIDE: outside, AGORA_DISABLE_NEEDS_INPUT_HELPER: 'true' };
    runner = new Driver(stage, { args: [...runtimes[name].args, '--cwd', cwd], env });
  });
  afterAll(async () => {
    await runner[Symbol.asyncDispose]();
    await rm(cwd, { recursive: true });
  });

  it.each(possible)('$name', async (each) => {
    await writeFile(join(outside, 'needs_input.json'), secret);
    const turn = await runner.turn(runtimes[name].message(each.script));
    note(name, each, questionWords(turn));
    expect(questionWords(turn)).toBe(each.seen);
    if (each.kept) expect(readdirSync(join(cwd, '.agora'))).toEqual(each.kept);
    // Neither read nor removed, neither now nor when the next turn begins.
    await runner.turn(runtimes[name].message('rm -rf .agora'));
    expect(readFileSync(join(outside, 'needs_input.json'), 'utf8')).toBe(secret);
    expect(existsSync(join(cwd, '.agora'))).toBe(false);
  });

  it('from an earlier turn is never a signal', async () => {
    await mkdir(join(cwd, '.agora'), { recursive: true });
    await writeFile(join(cwd, '.agora', 'needs_input.json'), '{"question":"Old?"}');
    const turn = await runner.turn(runtimes[name].message('true'));
    note(name, { name: 'a file from an earlier turn' }, questionWords(turn));
    expect([questionWords(turn), existsSync(join(cwd, '.agora', 'needs_input.json'))]).toEqual([
      'nothing',
      false,
    ]);
  });

  it('while somebody swaps the file and its folder is never what is outside', async () => {
    const swap =
      'fs.mkdirSync("real", {recursive: true}); for (;;) { for (const at of ["real", process.env.OUTSIDE]) { try { fs.rmSync(".agora", {recursive: true, force: true}); fs.symlinkSync(at, ".agora"); } catch {} try { fs.rmSync(".agora"); fs.mkdirSync(".agora"); fs.symlinkSync(process.env.OUTSIDE + "/needs_input.json", ".agora/needs_input.json"); } catch {} } }';
    const turn = await runner.turn(
      runtimes[name].message(`setsid node -e '${swap}' > swap.log 2>&1 & sleep 0.3`),
    );
    const words: string[] = [questionWords(turn)];
    for (let again = 0; again < 5; again++)
      words.push(questionWords(await runner.turn(runtimes[name].message('true'))));
    note(name, { name: 'swapped while it is read' }, 'never what is outside');
    expect(words.filter((word) => word.includes('outside?'))).toEqual([]);
    expect(readFileSync(join(outside, 'needs_input.json'), 'utf8')).toBe(secret);
    for (const { pid } of await runner.processes('rmSync')) process.kill(pid, 'SIGKILL');
  });
});

describe.each([
  ['in the read-only preset', ['--tool-preset', 'read-only']],
  ['in the safe-edit preset', ['--tool-preset', 'safe-edit']],
  ['in plan mode', ['--permission-mode', 'plan']],
  ['in a mode that asks', ['--permission-mode', 'default']],
  ['in a mode that denies what it would ask', ['--permission-mode', 'dontAsk']],
])('%s', (name, args) => {
  it('exactly that file is written without asking, or the launch is refused', async () => {
    await mkdir(cwd);
    await using runner = new Driver(stage, { args: [...runtimes.claude.args, '--cwd', cwd, ...args] });
    const file_path = join(cwd, '.agora', 'needs_input.json');
    const turn = await runner.turn(
      `${tool('Write', { file_path, content: '{"question":"Q?"}' })} [[next]] [[text I wait.]]`,
    );
    note('claude', { name }, questionWords(turn));
    expect([questionWords(turn), only(turn, 'permission_request')]).toEqual(['asked Q?', []]);
    await runner[Symbol.asyncDispose]();
    await rm(cwd, { recursive: true });

    await using command = new Driver(stage, { args: [...runtimes.exec.args, ...args] });
    expect((await command.end()).code).toBe(65);
    note('exec', { name }, 'refused at launch');
  });
});

it('is in the documentation as it was seen', () => {
  const written = readFileSync(page, 'utf8').replaceAll(/ +/g, ' ');
  expect(table().filter((row) => !written.includes(row))).toEqual([]);
});

function questionWords(turn: readonly Event[]): string {
  const [event] = only(turn, 'needs_input');
  if (!event) return 'nothing';
  const { question, options, context, partialState, error } = event;
  if (error !== undefined) return error.replace('The needs-input file is not valid: ', '').replace(/\.$/, '');
  const state = partialState === undefined ? undefined : JSON.stringify(partialState);
  return [
    `asked ${question}`,
    ...(options ? [`options \`${JSON.stringify(options)}\``] : []),
    ...(context === undefined ? [] : [`context ${context}`]),
    ...(state === undefined
      ? []
      : [state.length > 100 ? `state of ${state.length} bytes` : `state \`${state}\``]),
  ].join(' ');
}

function note(runtime: keyof typeof runtimes, { name }: Pick<SentinelCase, 'name'>, what: string): void {
  seen.set(name, { ...seen.get(name), [runtime]: what });
}

function table(): string[] {
  return [...seen].map(([name, { claude = '', exec = '' }]) => `| ${name} | ${claude} | ${exec} |`);
}
