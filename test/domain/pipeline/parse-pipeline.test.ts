import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstDifference } from '../../../src/domain/pipeline/first-difference.js';
import { parsePipeline } from '../../../src/domain/pipeline/parse-pipeline.js';
import { Failure } from '../../../src/protocol/failure.js';

test('a pipeline is read: each phase after what it needs, one instance for each combination', () => {
  const { name, phases, inputs } = parsePipeline(
    `
inputs:
  idea: { required: true }
phases:
  build:
    needs: design
    run: npm test
    strategy: { matrix: { os: [linux, mac], node: [20, 22] }, max-parallel: 2 }
  design: { agent: { prompt: "Design \${{ inputs.idea }}" }, timeout-minutes: 2 }
  ship: { needs: [build], approval: "Ship?", when: "needs.design.outputs.ok == 'yes'" }
  audit: { needs: ship, run: ./skills/audit }
`,
    '/home/ada/idea.yaml',
  );
  expect(name).toBe('idea');
  expect(inputs).toEqual({ idea: { required: true, usual: undefined, description: undefined } });
  expect(phases.map(({ id }) => id)).toEqual(['design', 'build', 'ship', 'audit']);
  expect(phases[0]?.timeoutSeconds).toBe(120);
  expect(phases[1]?.instances.map(({ key, title }) => `${key} ${title}`)).toEqual([
    'build[0] build (linux, 20)',
    'build[1] build (linux, 22)',
    'build[2] build (mac, 20)',
    'build[3] build (mac, 22)',
  ]);
  expect(phases[3]?.does).toEqual({ kind: 'skill', skill: 'audit' });
  expect(phases[3]?.ancestors.toSorted()).toEqual(['build', 'design', 'ship']);
});

const phases = (lines: string) => `phases:\n${lines}`;

test.each([
  [
    'a cycle',
    phases('  a: { needs: b, run: x }\n  b: { needs: a, run: x }'),
    3,
    15,
    'These phases wait for each other: a needs b needs a.',
  ],
  [
    'a long cycle',
    phases(
      Array.from({ length: 200 }, (_, at) => `  a${at}: { run: x, needs: a${(at + 1) % 200} }`).join('\n'),
    ),
    201,
    26,
    'a0 needs a1 needs a2 needs a3 needs … needs a198 needs a199 needs a0.',
  ],
  [
    'an unknown phase among many',
    phases(Array.from({ length: 20 }, (_, at) => `  a${at}: { run: x, needs: b }`).join('\n')),
    2,
    24,
    'a10, a11 and 8 more.',
  ],
  ['a phase that needs itself', phases('  a: { needs: [a], run: x }'), 2, 16, 'a needs a'],
  [
    'an unknown phase',
    phases('  a: { run: x }\n  b:\n    needs: [a, c]\n    run: x'),
    4,
    16,
    'There is no phase "c". There are: a, b.',
  ],
  [
    'an unknown key',
    phases('  a:\n    run: x\n    retry: 3'),
    4,
    5,
    'retry: There is no such field here. Allowed: name, needs, files',
  ],
  [
    'an unknown key of the file',
    'phase: {}\nphases: { a: { run: x } }',
    1,
    1,
    'phase: There is no such field',
  ],
  [
    'a value of the wrong kind',
    phases('  a:\n    run: x\n    retries: many'),
    4,
    14,
    'retries: must be a number.',
  ],
  ['too few retries', phases('  a: { run: x, retries: -1 }'), 2, 25, 'retries: must be at least 0.'],
  ['too many retries', phases('  a: { run: x, retries: 99 }'), 2, 25, 'retries: must be at most 20.'],
  ['no time', phases('  a: { run: x, timeout-minutes: 0 }'), 2, 33, 'timeout-minutes: must be more than 0.'],
  [
    'an unknown runtime',
    phases('  a: { agent: { prompt: x, runtime: gpt } }'),
    2,
    37,
    'runtime: must be claude, codex, opencode',
  ],
  ['a phase that is a text', phases('  a: npm test'), 2, 6, 'a: must be names with values.'],
  ['a phase without a name', phases('  1: { run: x }'), 2, 3, '1: must be a name of letters, digits'],
  [
    'no variable',
    phases('  a: { run: x, env: { "A B": x } }'),
    2,
    30,
    'A B: must be the name of a variable.',
  ],
  ['needs of the wrong kind', phases('  a: { run: x, needs: 1 }'), 2, 23, 'needs: must be a text or a list.'],
  [
    'an empty list of values',
    phases('  a: { run: x, strategy: { matrix: { n: [] } } }'),
    2,
    41,
    'n: must have at least 1 entry.',
  ],
  ['a command with a NUL', phases('  a: { run: "x\\0" }'), 2, 13, 'run: holds the character NUL'],
  [
    'a variable with a NUL',
    phases('  a: { run: x, env: { A: "\\0" } }'),
    2,
    26,
    'A: holds the character NUL',
  ],
  ['a second document', phases('  a: { run: x }\n---\nphases: {}'), 3, 1, 'A second document begins here.'],
  ['no phase', 'phases: {}', 1, 9, 'A pipeline needs a phase.'],
  ['nothing', '', 1, 1, 'the file must have phases: '],
  ['a list', '- a', 1, 1, 'the file must have phases: '],
  [
    'no work',
    phases('  a: { name: A }'),
    2,
    6,
    'needs exactly one of run, skill, agent, approval; it has none',
  ],
  ['two kinds of work', phases('  a: { run: x, skill: y }'), 2, 16, 'it has run and skill'],
  ['no YAML', phases('  a: [x'), 2, 8, ''],
  ['the same key twice', phases('  a: { run: x }\n  a: { run: y }'), 3, 3, 'Map keys must be unique.'],
  [
    'an expression that cannot be read',
    phases("  a: { run: x, when: \"'x' = 'y'\" }"),
    2,
    27,
    'The expression cannot be read: "=" cannot be read here.',
  ],
  [
    'an unknown input',
    phases('  a: { agent: { prompt: "do ${{ inputs.what }}" } }'),
    2,
    33,
    'There is no input "what". There are: none.',
  ],
  [
    'a value of a phase that is not needed',
    phases('  a: { run: x }\n  b: { run: x, env: { A: "${{ needs.a.outputs.b }}" } }'),
    3,
    31,
    'does not need a phase "a"',
  ],
  ['an expression in a command', phases('  a: { run: "echo ${{ inputs.x }}" }'), 2, 19, 'could become code'],
  [
    'a place to fill in in a command',
    phases('  a: { run: "echo {prompt}" }'),
    2,
    19,
    '{prompt} is not filled in here',
  ],
  ['a file of the project that is no skill', phases('  a: { run: ./deploy.sh }'), 2, 13, 'is run as a skill'],
  ['a skill with arguments', phases('  a: { run: ./skills/x --now }'), 2, 13, 'is run as a skill'],
  [
    'a file outside of the workspace',
    phases('  a: { run: x, files: [ok, ../no] }'),
    2,
    28,
    'inside of the workspace',
  ],
  [
    'work in a question',
    phases('  a: { approval: "Go?", retries: 2 }'),
    2,
    25,
    'retries is for phases that do work',
  ],
  ['a variable of ours', phases('  a: { run: x, env: { PIPELINE_OUTPUT: /x } }'), 2, 23, 'are ours'],
  [
    'a matrix that is too large',
    phases(`  a: { run: x, strategy: { matrix: { a: [${'1,'.repeat(17)}], b: [${'1,'.repeat(17)}] } } }`),
    2,
    3,
    '256 are the most',
  ],
  [
    'a budget of zero',
    phases('  a: { agent: { prompt: x, budget: 0 } }'),
    2,
    36,
    '"0" is no budget. It is an amount greater than 0',
  ],
  [
    'a matrix that is no list',
    phases('  a: { run: x, strategy: { matrix: { n: all } } }'),
    2,
    41,
    'The values of n are a list, or ${{ fromJSON(needs.PHASE.outputs.NAME) }}.',
  ],
  [
    'a matrix from a phase that is not needed',
    phases(
      "  a: { run: x }\n  b:\n    run: x\n    strategy: { matrix: { n: '${{ fromJSON(needs.a.outputs.all) }}' } }",
    ),
    5,
    44,
    '"b" does not need a phase "a"',
  ],
  [
    'a matrix from itself',
    phases("  a: { run: x, strategy: { matrix: { n: [1], m: '${{ fromJSON(matrix.n) }}' } } }"),
    2,
    63,
    'A matrix cannot be read from itself.',
  ],
  [
    'a matrix from an expression that cannot be read',
    phases("  a: { run: x, strategy: { matrix: { n: '${{ fromJSON(inputs.) == }}' } } }"),
    2,
    41,
    'The values of n are a list',
  ],
  [
    'a matrix from a broken expression',
    phases("  a: { run: x, strategy: { matrix: { n: '${{ fromJSON(inputs.n ==) }}' } } }"),
    2,
    66,
    'The expression cannot be read: expected a value',
  ],
  [
    'too many aliases',
    `x: &x [1]\ny: &y [${'*x,'.repeat(90)}]\nz: [${'*y,'.repeat(90)}]`,
    1,
    1,
    'Excessive alias count',
  ],
])('%s is refused with line and column', (_name, source, line, column, sentence) => {
  let refusal: unknown;
  try {
    parsePipeline(source, 'p.yaml');
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(Failure);
  const { code, message } = refusal as Failure;
  expect({ code, place: message.split(': ')[0] }).toEqual({
    code: 'invalid',
    place: `p.yaml, line ${line ?? '\\d+'}, column ${column}`,
  });
  expect(message).toContain(sentence);
});

const values = Array.from({ length: 50 }, (_, at) => at).join(', ');
const widest = Array.from({ length: 5 }, (_, at) => `n${at}: [${values}]`).join(', ');

/** Files of this size are read in seconds, or end the process's stack, unless they are refused by their tokens. */
test.each([
  ['brackets', phases(`  a: ${'['.repeat(100_000)}`), 'This is nested too deeply.', 2],
  ['braces', phases(`  a: ${'{a: '.repeat(50_000)}`), 'This is nested too deeply.'],
  ['dashes', phases(`  a:\n    ${'- '.repeat(100_000)}x`), 'This is nested too deeply.'],
  ['question marks', phases(`  ${'? '.repeat(100_000)}x`), 'This is nested too deeply.'],
  ['keys', phases(numbered(20_000, (at) => `  a${at}: x`)), 'This has more than 1000 entries.', 1002],
  [
    'variables',
    phases(`  a: { run: x, env: { ${numbered(9000, (at) => `A${at}: x,`)} } }`),
    'This has more than 1000 entries.',
  ],
  ['quotes', phases(`  a: ${'"'.repeat(200_000)}`), 'The file has too many parts.'],
  ['comments', '# \n'.repeat(80_000), 'The file has too many parts.'],
  [
    'a chain of phases',
    phases(numbered(900, (at) => `  a${at}: { run: x, needs: a${at + 1} }`)) + '\n  a900: { run: x }',
    'All phases with all of their matrices come to 901; 256 are the most.',
  ],
  [
    'combinations',
    phases(numbered(40, (at) => `  a${at}: { run: x, strategy: { matrix: { ${widest} } } }`)),
    'All phases with all of their matrices come to 10280; 256 are the most.',
  ],
])('too many %s are refused with line and column', (_name, source, sentence, line?: number) => {
  expect(() => parsePipeline(source, 'p.yaml')).toThrow(
    expect.objectContaining({
      code: 'invalid',
      message: expect.stringMatching(
        new RegExp(`^p\\.yaml, line ${line ?? '\\d+'}, column \\d+: ${sentence}`),
      ),
    }),
  );
});

function numbered(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at)).join('\n');
}

test('whatever a file holds, it is read or refused in a sentence', () => {
  const word = fc.constantFrom(
    'a',
    'needs',
    'run',
    'phases',
    'agent',
    'prompt',
    'strategy',
    'matrix',
    '${{ x',
    '*x',
    '&x',
    '\n  ',
    ': ',
    '- ',
    '[',
    '{',
    '}',
    '"',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      try {
        parsePipeline(words.join(''), 'p.yaml');
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
        expect((error as Failure).message).toMatch(/^p\.yaml, line \d+, column \d+: ./);
      }
    }),
    { numRuns: 500 },
  );
});

test('where a file has changed is found', () => {
  expect(firstDifference('a\nbc\n', 'a\nbd\n')).toEqual({ line: 2, column: 2 });
  expect(firstDifference('a', 'a\n')).toEqual({ line: 1, column: 2 });
  expect(firstDifference('a', 'a')).toBeNull();
});
