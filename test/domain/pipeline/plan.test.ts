import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EndedPhase, PhaseFact, PipelineFacts } from '../../../src/domain/pipeline/facts.js';
import { withKnownInstances } from '../../../src/domain/pipeline/known-instances.js';
import { parsePipeline } from '../../../src/domain/pipeline/parse-pipeline.js';
import { plan } from '../../../src/domain/pipeline/plan.js';
import type { ExitCode } from '../../../src/protocol/exit-code.js';

const ended = (result: EndedPhase['result'], more: Partial<EndedPhase> = {}): EndedPhase => ({
  state: 'ended',
  result,
  exitCode: result === 'failure' ? 1 : 0,
  outputs: {},
  endedAt: '2026-01-01T00:00:00.000Z',
  stops: false,
  ...more,
});
const running: PhaseFact = { state: 'running' };
const over = (result: 'succeeded' | 'failed' | 'blocked' | 'cancelled', exitCode: ExitCode): PhaseFact => ({
  state: 'running',
  ended: { result, exitCode },
});
const asked = (said?: string | null, about: 'approval' | 'failure' = 'failure'): PhaseFact => ({
  state: 'asking',
  about,
  end: { result: 'failed', exitCode: 69 },
  ...(said !== undefined && { said }),
});

const movesOf = (phases: string, told: Record<string, PhaseFact> = {}, more: Partial<PipelineFacts> = {}) => {
  const facts = {
    inputs: {},
    noInput: false,
    isCancelled: false,
    phases: new Map(Object.entries(told)),
    ...more,
  };
  return plan(withKnownInstances(parsePipeline(`phases:\n${phases}`, 'p.yaml'), facts), facts).map((move) => {
    const { do: what, ...rest } = move;
    const words = [
      what,
      'key' in rest ? rest.key : '',
      'result' in rest ? rest.result : '',
      'exitCode' in rest ? rest.exitCode : '',
    ];
    return words.filter((word) => word !== '').join(' ');
  });
};

const line = '  a: { run: x }\n  b: { run: x, needs: a }';
const end =
  '  a: { run: x, on-failure: end }\n  b: { run: x, needs: a }\n  c: { run: x, needs: b, when: always() }';
const later =
  '  a: { run: x, on-failure: end }\n  m: { run: x, needs: a, strategy: { matrix: { n: "${{ fromJSON(needs.a.outputs.all) }}", o: [1, 2] } } }';
const telling = (all: string) => ({ a: ended('success', { outputs: { all } }) });
const matrix = '  m: { run: x, on-failure: end, strategy: { matrix: { n: [1, 2, 3] }, max-parallel: 2 } }';

describe('what comes next', () => {
  test.each<[string, string, Record<string, PhaseFact>, Partial<PipelineFacts>, string[]]>([
    ['the first phase', line, {}, {}, ['start a']],
    ['nothing while it runs', line, { a: running }, {}, []],
    ['its end is written down', line, { a: over('succeeded', 0) }, {}, ['settle a success 0']],
    ['the next one', line, { a: ended('success') }, {}, ['start b']],
    ['a failure is given to a person', line, { a: over('failed', 69) }, {}, ['escalate a']],
    ['nothing until the person decides', line, { a: asked() }, {}, []],
    ['tried again', line, { a: asked('Retry') }, {}, ['again a']],
    ['gone on without it', line, { a: asked('Skip') }, {}, ['settle a waived 69']],
    ['those that need what was waived begin', line, { a: ended('waived') }, {}, ['start b']],
    ['aborted', line, { a: asked('Abort') }, {}, ['settle a failure 69']],
    ['a question that was closed aborts', line, { a: asked(null) }, {}, ['settle a failure 69']],
    [
      'what was aborted is not begun',
      line,
      { a: ended('failure', { stops: true }) },
      {},
      ['settle b cancelled 130'],
    ],
    [
      'the end has the code of what stopped it',
      line,
      { a: ended('failure', { stops: true, exitCode: 69 }), b: ended('cancelled') },
      {},
      ['end failure 69'],
    ],
    ['nobody is asked', line, { a: over('blocked', 2) }, { noInput: true }, ['settle a failure 2']],
    ['what needs a failure is skipped', end, { a: ended('failure') }, {}, ['settle b skipped 0']],
    ['always() runs all the same', end, { a: ended('failure'), b: ended('skipped') }, {}, ['start c']],
    [
      'the failure counts',
      end,
      { a: ended('failure', { exitCode: 65 }), b: ended('skipped'), c: ended('success') },
      {},
      ['end failure 65'],
    ],
    [
      'a failure that does not matter',
      '  a: { run: x, continue-on-error: true }\n  b: { run: x, needs: a }',
      { a: over('failed', 1) },
      {},
      ['settle a failure 1'],
    ],
    [
      'gone on after it',
      '  a: { run: x, continue-on-error: true }\n  b: { run: x, needs: a }',
      { a: ended('failure') },
      {},
      ['start b'],
    ],
    [
      'success in spite of it',
      '  a: { run: x, continue-on-error: true }',
      { a: ended('failure') },
      {},
      ['end success 0'],
    ],
    ['a gate', '  g: { approval: Go? }\n  b: { run: x, needs: g }', {}, {}, ['ask g']],
    ['approved', '  g: { approval: Go? }', { g: asked('Approve', 'approval') }, {}, ['settle g success 0']],
    ['rejected', '  g: { approval: Go? }', { g: asked('Reject', 'approval') }, {}, ['settle g failure 2']],
    [
      'a gate that nobody is asked at',
      '  g: { approval: Go? }',
      {},
      { noInput: true },
      ['settle g failure 2'],
    ],
    [
      'cancelled: what runs is ended',
      `${line}\n  c: { run: x }`,
      { a: running },
      { isCancelled: true },
      ['cancel a', 'settle b cancelled 130', 'settle c cancelled 130'],
    ],
    [
      'cancelled: a question is closed',
      line,
      { a: asked() },
      { isCancelled: true },
      ['settle a cancelled 130', 'settle b cancelled 130'],
    ],
    [
      'cancelled: what was done is done',
      line,
      { a: over('succeeded', 0) },
      { isCancelled: true },
      ['settle a success 0', 'settle b cancelled 130'],
    ],
    [
      'cancelled: the end',
      line,
      { a: ended('success'), b: ended('cancelled') },
      { isCancelled: true },
      ['end cancelled 130'],
    ],
    ['a matrix with a limit', matrix, {}, {}, ['start m[0]', 'start m[1]']],
    ['the next of a matrix', matrix, { 'm[0]': ended('success'), 'm[1]': running }, {}, ['start m[2]']],
    [
      'fail-fast',
      matrix,
      { 'm[0]': ended('failure'), 'm[1]': running },
      {},
      ['cancel m[1]', 'settle m[2] cancelled 130'],
    ],
    [
      'the end of fail-fast',
      matrix,
      { 'm[0]': ended('failure'), 'm[1]': ended('cancelled'), 'm[2]': ended('cancelled') },
      {},
      ['end failure 1'],
    ],
    [
      'without fail-fast',
      matrix.replace('matrix', 'fail-fast: false, matrix'),
      { 'm[0]': ended('failure'), 'm[1]': running },
      {},
      ['start m[2]'],
    ],
    ['work that a person cancelled', line, { a: over('cancelled', 130) }, {}, ['settle a cancelled 130']],
    [
      'a condition that does not hold',
      '  a: { run: x }\n  b: { run: x, needs: a, when: "needs.a.outputs.go == \'yes\'" }',
      { a: ended('success') },
      {},
      ['settle b skipped 0'],
    ],
    [
      'a condition that holds',
      '  a: { run: x }\n  b: { run: x, needs: a, when: "needs.a.outputs.go == \'yes\'" }',
      { a: ended('success', { outputs: { go: 'yes' } }) },
      {},
      ['start b'],
    ],
    [
      'a condition of the matrix',
      '  m: { run: x, when: "matrix.n != 2", strategy: { matrix: { n: [1, 2] } } }',
      {},
      {},
      ['start m[0]', 'settle m[1] skipped 0'],
    ],
    ['a matrix that nobody knows yet', later, { a: running }, {}, []],
    [
      'a matrix that a phase told',
      later,
      telling('["x","y"]'),
      {},
      ['start m[0]', 'start m[1]', 'start m[2]', 'start m[3]'],
    ],
    [
      'the rest of a matrix that a phase told',
      later,
      { ...telling('["x"]'), 'm[0]': ended('success') },
      {},
      ['start m[1]'],
    ],
    [
      'the end of a matrix that a phase told',
      later,
      { ...telling('["x"]'), 'm[0]': ended('success'), 'm[1]': ended('success') },
      {},
      ['end success 0'],
    ],
    ['a matrix without values', later, telling('[]'), {}, ['settle m skipped 0']],
    ['a matrix that cannot be read is begun, and fails as that', later, telling('{'), {}, ['start m']],
    [
      'a person goes on without a matrix that cannot be read',
      later,
      { ...telling('{'), m: asked('Skip') },
      {},
      ['settle m waived 69'],
    ],
    [
      'a matrix whose phase has failed',
      later,
      { a: ended('failure', { outputs: { all: '[1]' } }) },
      {},
      ['settle m skipped 0'],
    ],
    [
      'a matrix that was called off before it was known',
      later,
      { ...telling('[1]'), m: ended('cancelled') },
      { isCancelled: true },
      ['end cancelled 130'],
    ],
    [
      'a matrix from an input',
      '  m: { run: x, strategy: { matrix: { n: "${{ fromJSON(\'[7, true]\') }}" } } }',
      {},
      {},
      ['start m[0]', 'start m[1]'],
    ],
    [
      'no more than four at once',
      Array.from({ length: 6 }, (_, n) => `  p${n}: { run: x }`).join('\n'),
      {},
      {},
      ['start p0', 'start p1', 'start p2', 'start p3'],
    ],
  ])('%s', (_name, phases, facts, more, wanted) => {
    expect(movesOf(phases, facts, more)).toEqual(wanted);
  });
});

/** Some phases, each of which needs some of those before it. */
const pipeline = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat({ max: 5 }), { maxLength: 2 }),
      values: fc.integer({ min: 1, max: 3 }),
      gate: fc.boolean(),
      listed: fc.boolean(),
      more: fc.constantFrom(
        '',
        'continue-on-error: true, ',
        'on-failure: end, ',
        'when: always(), ',
        'when: failure(), ',
      ),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) =>
    all
      .map(({ needs, values, gate, more, listed }, index) => {
        const before = [...new Set(needs.filter((need) => need < index))]
          .map((need) => `p${need}`)
          .join(', ');
        const [list] = before.split(', ');
        const strategy =
          values > 1 && list !== undefined && list !== '' && listed
            ? `strategy: { matrix: { n: '\${{ fromJSON(needs.${list}.outputs.all) }}' } }, `
            : values > 1
              ? `strategy: { matrix: { n: [${Array.from({ length: values }, (_, n) => n).join(', ')}] }, max-parallel: 2 }, `
              : '';
        return `  p${index}: { needs: [${before}], ${more}${gate ? 'approval: Go?' : `${strategy}run: x`} }`;
      })
      .join('\n'),
  );

const lists = ['["x","y"]', '["x"]', '[]', 'no list'];

test('whatever happens, every pipeline comes to its end, and nothing that has ended begins again', () => {
  fc.assert(
    fc.property(pipeline, fc.infiniteStream(fc.nat({ max: 11 })), (phases, chances) => {
      const written = parsePipeline(`max-parallel: 3\nphases:\n${phases}`, 'p.yaml');
      const facts = new Map<string, PhaseFact>();
      const finished = new Set<string>();
      let isCancelled = false;
      let clock = 0;
      const chance = () => Number(chances.next().value);
      for (let step = 0; step < 500; step += 1) {
        const known = { inputs: {}, noInput: false, isCancelled, phases: facts };
        const definition = withKnownInstances(written, known);
        const [move] = plan(definition, known);
        if (move?.do === 'end') {
          expect(finished.size).toBe(definition.phases.flatMap(({ instances }) => instances).length);
          return;
        }
        if (move) {
          expect(finished.has(move.key)).toBe(false);
          if (move.do === 'start') {
            const { needs = [] } = definition.phases.find(({ id }) => id === move.key.split('[')[0]) ?? {};
            for (const need of needs)
              for (const key of facts.keys())
                if (key.split('[')[0] === need) expect(finished.has(key)).toBe(true);
            facts.set(move.key, { state: 'running' });
            const atWork = [...facts.values()].filter(({ state }) => state === 'running').length;
            expect(atWork).toBeLessThanOrEqual(3);
          } else if (move.do === 'again') facts.delete(move.key);
          else if (move.do === 'ask') facts.set(move.key, { state: 'asking', about: 'approval' });
          else if (move.do === 'escalate')
            facts.set(move.key, { state: 'asking', about: 'failure', end: move.end });
          else if (move.do === 'cancel')
            facts.set(move.key, { state: 'running', ended: { result: 'cancelled', exitCode: 130 } });
          else {
            finished.add(move.key);
            clock += 1;
            facts.set(
              move.key,
              ended(move.result, {
                exitCode: move.exitCode,
                stops: move.stops === true,
                endedAt: String(clock).padStart(5, '0'),
                outputs: { all: lists[chance() % lists.length] ?? '' },
              }),
            );
          }
          continue;
        }
        // Nothing is to be done, so somebody else does something.
        const open = [...facts].filter(([, fact]) => fact.state !== 'ended');
        expect(open.length).toBeGreaterThan(0);
        const [key, fact] = open[chance() % open.length] ?? ['', undefined];
        if (fact?.state === 'asking') {
          const answers =
            fact.about === 'approval' ? ['Approve', 'Reject', null] : ['Retry', 'Skip', 'Abort', null];
          facts.set(key, { ...fact, said: answers[chance() % answers.length] ?? null });
        } else if (chance() === 11) isCancelled = true;
        else {
          const ends = [
            over('succeeded', 0),
            over('succeeded', 0),
            over('failed', 1),
            over('blocked', 2),
            over('cancelled', 130),
          ];
          facts.set(key, ends[chance() % ends.length] ?? over('succeeded', 0));
        }
      }
      throw new Error('it did not come to its end');
    }),
    { numRuns: 100 },
  );
});
