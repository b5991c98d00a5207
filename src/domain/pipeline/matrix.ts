import type { PhaseInstance } from './definition.js';
import { type Expression, type ExpressionScope, evaluate } from './expression.js';
import { type Combination, type ToldMatrix, toldMatrix, toldValues } from './told-matrix.js';

/** All phases of a pipeline, with every combination counted. */
export const mostInstances = 256;

/** What a phase is repeated for: names with values, or all of it in one text that an earlier phase tells. */
export type Matrix =
  | { readonly kind: 'axes'; readonly axes: readonly MatrixAxis[] }
  | { readonly kind: 'whole'; readonly told: LaterValues };

/** A name of a matrix with its values, as written or as an earlier phase will tell them. */
export interface MatrixAxis {
  readonly name: string;
  readonly values: readonly string[] | LaterValues;
}

/** A text in JSON that is known once what it is read from has ended. */
export interface LaterValues {
  readonly expression: Expression;
  /** The file, line and column where it is written. */
  readonly where: string;
}

/** A matrix that is not known yet. */
export interface LaterMatrix {
  readonly matrix: Matrix;
  /** The names that the phase reads; a matrix without one of them is a mistake. */
  readonly reads: readonly string[];
  /** How many combinations it may come to. */
  readonly most: number;
}

interface Named {
  readonly id: string;
  readonly title: string;
}

type Axes = Extract<ToldMatrix, { kind: 'grid' }>['axes'];

/** The instances of a phase whose values all stand in the file. */
export function instancesOf({ id, title }: Named, matrix: Matrix): readonly PhaseInstance[] {
  if (isTold(matrix)) return [{ key: id, title: `${title} (…)`, matrix: {} }];
  const axes = matrix.kind === 'axes' ? matrix.axes : [];
  if (axes.length === 0) return [{ key: id, title, matrix: {} }];
  const grid = axes.map(({ name, values }) => [name, isLater(values) ? [] : values] as const);
  return numbered({ id, title }, combined(grid));
}

/** The instances of a phase, now that what its matrix is read from has ended; never more than may be. */
export function laterInstances(
  { id, title }: Named,
  { matrix, reads, most }: LaterMatrix,
  scope: ExpressionScope,
): readonly PhaseInstance[] {
  const unfit = (why: string, isEmpty = false): readonly PhaseInstance[] => [
    { key: id, title, matrix: {}, unfit: { why, isEmpty } },
  ];
  const read = matrix.kind === 'whole' ? wholeMatrix(matrix.told, scope) : gridOf(matrix.axes, scope);
  if ('problem' in read) return unfit(read.problem);
  const { told, where } = read;
  const count =
    told.kind === 'rows'
      ? told.rows.length
      : told.axes.reduce((product, [, list]) => product * list.length, 1);
  if (count === 0) return unfit('its matrix has no values', true);
  if (count > most)
    return unfit(`${where}: The matrix comes to ${count} combinations; ${most} are the most here.`);
  const combinations = told.kind === 'rows' ? told.rows : combined(told.axes);
  const lacking = combinations.findIndex((each) => reads.some((name) => !Object.hasOwn(each, name)));
  if (lacking === -1) return numbered({ id, title }, combinations);
  const name = reads.find((each) => !Object.hasOwn(combinations[lacking] ?? {}, each));
  const which = told.kind === 'rows' ? `Combination ${lacking + 1} of include` : 'The matrix';
  return unfit(`${where}: ${which} has no "${name}", which this phase reads.`);
}

/** Whether an earlier phase or an input tells something of it. */
export function isTold(matrix: Matrix): boolean {
  return matrix.kind === 'whole' || matrix.axes.some(({ values }) => isLater(values));
}

type ReadMatrix = { readonly told: ToldMatrix; readonly where: string } | { readonly problem: string };

function wholeMatrix({ expression, where }: LaterValues, scope: ExpressionScope): ReadMatrix {
  const told = toldMatrix(evaluate(expression, scope));
  return typeof told === 'string' ? { problem: `${where}: matrix: ${told}` } : { told, where };
}

function gridOf(axes: readonly MatrixAxis[], scope: ExpressionScope): ReadMatrix {
  const known: (readonly [string, readonly string[]])[] = [];
  for (const { name, values } of axes) {
    if (!isLater(values)) {
      known.push([name, values]);
      continue;
    }
    const read = toldValues(evaluate(values.expression, scope));
    if (typeof read === 'string') return { problem: `${values.where}: ${name}: ${read}` };
    known.push([name, read]);
  }
  const [first = ''] = axes.flatMap(({ values }) => (isLater(values) ? [values.where] : []));
  return { told: { kind: 'grid', axes: known }, where: first };
}

function isLater(values: MatrixAxis['values']): values is LaterValues {
  return 'expression' in values;
}

/** One more than are allowed is enough to refuse them. */
function combined(axes: Axes): Combination[] {
  return axes.reduce<Combination[]>((before, [name, values]) => extended(before, name, values), [{}]);
}

function extended(
  combinations: readonly Combination[],
  name: string,
  values: readonly string[],
): Combination[] {
  const all: Combination[] = [];
  for (const before of combinations)
    for (const value of values) {
      all.push({ ...before, [name]: value });
      if (all.length > mostInstances) return all;
    }
  return all;
}

function numbered({ id, title }: Named, combinations: readonly Combination[]): PhaseInstance[] {
  return combinations.map((matrix, index) => ({
    key: `${id}[${index}]`,
    title: `${title} (${Object.values(matrix).join(', ')})`,
    matrix,
  }));
}
