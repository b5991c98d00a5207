import type { Budget } from '../../protocol/budget.js';
import { PipelineFile } from '../../protocol/pipeline-file.js';
import { issueSentence, plainIssue } from '../../protocol/plain-issue.js';
import { noBudget, readBudget } from '../dispatch/budget.js';
import type { AgentWork, PhaseDefinition, PhaseWork, PipelineDefinition } from './definition.js';
import { type Expression, ExpressionError, readExpression, valuesIn } from './expression.js';
import { PlacedFile } from './file-place.js';
import { instancesOf, isTold, type LaterValues, type Matrix, mostInstances } from './matrix.js';
import { nearestIssue } from './nearest-issue.js';
import { needsOf, phaseOrder, tooManyPhases } from './phase-order.js';
import { readTemplate, type Template } from './template.js';

type FilePhase = PipelineFile['phases'][string];
type Path = readonly PropertyKey[];

const usualParallel = 4;
const kinds = ['run', 'skill', 'agent', 'approval'] as const;
/** What a question to a person cannot have. */
const onlyForWork = ['text', 'env', 'worktree', 'retries', 'timeout-minutes', 'verify', 'strategy'] as const;
const fromOutputs = /^(\s*\$\{\{\s*fromJSON\s*\()(.*)\)\s*\}\}\s*$/s;
const skillFile = /^\.\/skills\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})$/;

/** Reads a pipeline; what is wrong with it is a sentence with line and column, and nothing has been started. */
export function parsePipeline(source: string, file: string): PipelineDefinition {
  return new PipelineReader(source, file).definition();
}

class PipelineReader {
  readonly #place: PlacedFile;
  readonly #file: PipelineFile;
  readonly #name: string;
  /** The names of its matrix that the phase at hand reads. */
  #reads = new Set<string>();

  constructor(source: string, file: string) {
    const [base = file] = file.split('/').slice(-1);
    this.#place = new PlacedFile(source, base);
    const read = PipelineFile.safeParse(this.#place.content(), { error: plainIssue });
    if (!read.success) {
      const issue = nearestIssue(read.error.issues);
      const key = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
      const what = key ?? issue?.path.at(-1);
      const sentence =
        what === undefined
          ? 'the file must have phases: begin with "phases:", and name each phase below it.'
          : issueSentence(String(what), issue?.message);
      throw this.#place.refuse(issue?.path ?? [], sentence, { key });
    }
    this.#file = read.data;
    this.#name = read.data.name ?? base.replace(/\.ya?ml$/, '');
  }

  definition(): PipelineDefinition {
    const { inputs = {}, env = {} } = this.#file;
    const phases = phaseOrder(this.#file.phases, this.#place).map((id) => this.#phase(id));
    return {
      name: this.#name,
      inputs: Object.fromEntries(
        Object.entries(inputs).map(([name, { required = false, default: usual, description }]) => [
          name,
          { required, usual: usual === undefined ? undefined : String(usual), description },
        ]),
      ),
      env: this.#environment(env, ['env'], undefined),
      maxParallel: this.#file['max-parallel'] ?? usualParallel,
      phases: this.#bounded(phases),
    };
  }

  /** What is known is counted; what will be known later shares the rest, so that it never depends on who ends first. */
  #bounded(phases: readonly PhaseDefinition[]): PhaseDefinition[] {
    const instances = phases.reduce((sum, phase) => sum + phase.instances.length, 0);
    if (instances > mostInstances) throw tooManyPhases(this.#place, instances);
    const laters = phases.filter(({ later }) => later !== undefined).length;
    const most = 1 + Math.floor((mostInstances - instances) / Math.max(1, laters));
    return phases.map((phase) => (phase.later ? { ...phase, later: { ...phase.later, most } } : phase));
  }

  #phase(id: string): PhaseDefinition {
    const phase = this.#file.phases[id] ?? {};
    const path = ['phases', id];
    const { name: title = id, strategy } = phase;
    this.#reads = new Set();
    const does = this.#work(id, phase);
    const ancestors = this.#ancestors(id);
    if (
      phase.agent?.['on-success'] !== undefined &&
      phase.agent['on-success'] !== 'keep' &&
      phase.worktree !== true
    )
      throw this.#place.refuse(
        [...path, 'agent', 'on-success'],
        'on-success needs worktree: true in this phase.',
      );
    if (phase.verify?.includes('${{')) throw this.#noCode([...path, 'verify']);
    const matrix = this.#matrix(id, strategy?.matrix ?? {});
    const definition = {
      id,
      title,
      needs: needsOf(phase),
      ancestors,
      files: this.#files(id, phase),
      when: phase.when === undefined ? undefined : this.#condition(phase.when, [...path, 'when'], id),
      does,
      text: this.#template(phase.text, [...path, 'text'], id),
      env: this.#environment(phase.env ?? {}, [...path, 'env'], id),
      worktree: phase.worktree ?? false,
      retries: phase.retries,
      timeoutSeconds: phase['timeout-minutes'] === undefined ? undefined : phase['timeout-minutes'] * 60,
      verify: phase.verify,
      continueOnError: phase['continue-on-error'] ?? false,
      onFailure: phase['on-failure'] ?? this.#file['on-failure'] ?? 'escalate',
      maxParallel: strategy?.['max-parallel'] ?? mostInstances,
      failFast: strategy?.['fail-fast'] ?? true,
      instances: instancesOf({ id, title }, matrix),
      later: undefined,
    };
    // What the phase reads is known once all of it was read.
    return isTold(matrix)
      ? { ...definition, later: { matrix, reads: [...this.#reads], most: 0 } }
      : definition;
  }

  #work(id: string, phase: FilePhase): PhaseWork {
    const path = ['phases', id];
    const given = kinds.filter((kind) => phase[kind] !== undefined);
    if (given.length !== 1)
      throw this.#place.refuse(
        path,
        `The phase "${id}" needs exactly one of ${kinds.join(', ')}; it has ${given.join(' and ') || 'none'}.`,
        {
          key: given[1],
        },
      );
    const { run, skill, agent, approval } = phase;
    if (approval !== undefined) {
      const wrong = onlyForWork.find((name) => phase[name] !== undefined);
      if (wrong !== undefined)
        throw this.#place.refuse(path, `${wrong} is for phases that do work; "${id}" asks a person.`, {
          key: wrong,
        });
      return { kind: 'approval', question: this.#template(approval, [...path, 'approval'], id) ?? [] };
    }
    if (agent !== undefined) {
      if (phase.text !== undefined)
        throw this.#place.refuse(path, 'text is for commands and skills; an agent has its prompt.', {
          key: 'text',
        });
      return { kind: 'agent', agent: this.#agent(id, agent) };
    }
    if (skill !== undefined) return { kind: 'skill', skill };
    return this.#command(id, run ?? '');
  }

  /** A file of the project is a skill; everything else is a line for the shell, in which nothing is filled in. */
  #command(id: string, run: string): PhaseWork {
    const path = ['phases', id, 'run'];
    if (run.includes('${{')) throw this.#noCode(path);
    const placeholder = /\{(?:prompt|model)\}/.exec(run)?.[0];
    if (placeholder !== undefined)
      throw this.#place.refuse(
        path,
        `${placeholder} is not filled in here. What the phase is given with text is on standard input.`,
        {
          word: placeholder,
        },
      );
    const skill = skillFile.exec(run.trim())?.[1];
    if (skill !== undefined) return { kind: 'skill', skill };
    if (run.trimStart().startsWith('./'))
      throw this.#place.refuse(
        path,
        'A file of the project is run as a skill: write ./skills/NAME and nothing after it, and give it what it needs with text or env.',
      );
    return { kind: 'command', script: run };
  }

  #noCode(path: Path) {
    return this.#place.refuse(
      path,
      'An expression in a command could become code. Give it with env, and use the variable.',
      {
        word: '${{',
      },
    );
  }

  #agent(id: string, agent: NonNullable<FilePhase['agent']>): AgentWork {
    return {
      prompt: this.#template(agent.prompt, ['phases', id, 'agent', 'prompt'], id) ?? [],
      runtime: agent.runtime,
      model: agent.model,
      permissions: agent.permissions,
      toolPreset: agent['tool-preset'],
      maxTurns: agent['max-turns'],
      onSuccess: agent['on-success'],
      budget: this.#budget(id, agent.budget),
    };
  }

  #budget(id: string, typed: string | number | undefined): Budget | undefined {
    if (typed === undefined) return undefined;
    const budget = readBudget(String(typed));
    if (budget === null) throw this.#place.refuse(['phases', id, 'agent', 'budget'], noBudget(String(typed)));
    return budget;
  }

  #matrix(id: string, matrix: NonNullable<FilePhase['strategy']>['matrix']): Matrix {
    const path = ['phases', id, 'strategy', 'matrix'];
    if (typeof matrix === 'string')
      return {
        kind: 'whole',
        told: this.#later(id, path, { source: matrix, what: 'A matrix is names with values' }),
      };
    const axes = Object.entries(matrix).map(([name, values]) => ({
      name,
      values:
        typeof values === 'string'
          ? this.#later(id, [...path, name], { source: values, what: `The values of ${name} are a list` })
          : values.map(String),
    }));
    return { kind: 'axes', axes };
  }

  /** What a phase before it tells. */
  #later(
    id: string,
    path: Path,
    { source, what }: { readonly source: string; readonly what: string },
  ): LaterValues {
    const [, before = '', inner] = fromOutputs.exec(source) ?? [];
    if (inner === undefined)
      throw this.#place.refuse(path, `${what}, or \${{ fromJSON(needs.PHASE.outputs.NAME) }}.`);
    const expression = this.#reading(path, () => readExpression(inner), before.length);
    const own = valuesIn(expression).find(({ path: [kind] }) => kind === 'matrix');
    if (own)
      throw this.#place.refuse(path, 'A matrix cannot be read from itself.', { word: own.path.join('.') });
    this.#expectValues(expression, path, id);
    return { expression, where: this.#place.where(path) };
  }

  #files(id: string, { files = [] }: FilePhase): string[] {
    const all = Array.isArray(files) ? files : [files];
    const odd = all.findIndex((file) => file.startsWith('/') || file.split('/').includes('..'));
    if (odd !== -1)
      throw this.#place.refuse(
        Array.isArray(files) ? ['phases', id, 'files', odd] : ['phases', id, 'files'],
        'A file is named by its path inside of the workspace.',
      );
    return all;
  }

  #ancestors(id: string): string[] {
    const found = new Set<string>();
    const walk = (each: string): void => {
      for (const need of needsOf(this.#file.phases[each])) {
        if (found.has(need)) continue;
        found.add(need);
        walk(need);
      }
    };
    walk(id);
    return [...found];
  }

  #environment(env: NonNullable<PipelineFile['env']>, path: Path, id: string | undefined) {
    return Object.fromEntries(
      Object.entries(env).map(([name, value]) => {
        if (/^(HANDRAISE|PIPELINE)_/.test(name))
          throw this.#place.refuse(path, `Names that begin with HANDRAISE_ or PIPELINE_ are ours: ${name}.`, {
            key: name,
          });
        return [name, this.#template(String(value), [...path, name], id) ?? []];
      }),
    );
  }

  #template(source: string | undefined, path: Path, id: string | undefined): Template | undefined {
    if (source === undefined) return undefined;
    const template = this.#reading(path, () => readTemplate(source));
    for (const part of template) if (typeof part !== 'string') this.#expectValues(part.expression, path, id);
    return template;
  }

  #condition(source: string, path: Path, id: string): Expression {
    const inner = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(source)?.[1];
    const expression = this.#reading(path, () => readExpression(inner ?? source));
    this.#expectValues(expression, path, id);
    return expression;
  }

  #reading<Read>(path: Path, read: () => Read, before = 0): Read {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw this.#place.refuse(path, `The expression cannot be read: ${error.message}.`, {
        offset: before + error.at,
      });
    }
  }

  /** Refuses a value that never is one. */
  #expectValues(expression: Expression, path: Path, id: string | undefined): void {
    for (const { path: parts } of valuesIn(expression)) {
      const problem = this.#problemWith(parts, id);
      if (problem !== null) throw this.#place.refuse(path, problem, { word: parts.join('.') });
    }
  }

  #problemWith(parts: readonly string[], id: string | undefined): string | null {
    const [kind, name = '', what, ...rest] = parts;
    const written = parts.join('.');
    if (kind === 'inputs' && parts.length === 2) {
      const inputs = Object.keys(this.#file.inputs ?? {});
      return inputs.includes(name)
        ? null
        : `There is no input "${name}". There are: ${inputs.join(', ') || 'none'}.`;
    }
    if (id !== undefined && kind === 'matrix' && parts.length === 2) {
      const { matrix = {} } = this.#file.phases[id]?.strategy ?? {};
      this.#reads.add(name);
      // The names of a matrix that is told as a whole are compared when they are told.
      if (typeof matrix === 'string') return null;
      const names = Object.keys(matrix);
      return names.includes(name)
        ? null
        : `The matrix of this phase has no "${name}". It has: ${names.join(', ') || 'nothing'}.`;
    }
    if (id !== undefined && kind === 'needs') {
      if (!this.#ancestors(id).includes(name))
        return `"${id}" does not need a phase "${name}", so it cannot read from it. Add it to needs.`;
      if ((what === 'result' && rest.length === 0) || (what === 'outputs' && rest.length === 1)) return null;
      return `Of a phase there is needs.${name}.result and needs.${name}.outputs.NAME, and no ${written}.`;
    }
    return id === undefined
      ? `There is no ${written} here; there is inputs.NAME.`
      : `There is no ${written}; there is inputs.NAME, matrix.NAME, needs.PHASE.result and needs.PHASE.outputs.NAME.`;
  }
}
