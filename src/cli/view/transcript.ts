import type { Fact } from '../../client/thread-event.js';
import { duration, until } from '../../domain/age.js';
import { plainLine, plainText } from '../../domain/plain-text.js';
import { toolWords } from '../../domain/tool-words.js';
import type { AgentExit } from '../../protocol/run.js';
import type { Colours } from '../terminal/colours.js';
import { fit } from '../terminal/fit.js';
import { outcomeLine } from './outcome-lines.js';

/** A piece of a thread as a person reads it: the agent's own words, or a line about what happened. */
export interface Piece {
  readonly from: 'agent' | 'host';
  readonly text: string;
}

const verifyLines = 10;
const summaryWidth = 120;

/** Turns the facts of a thread into what a person reads, in order; a tool call is one line, told when it ends. */
export class Transcript {
  readonly #colours: Colours;
  readonly #now: () => number;
  readonly #tools = new Map<string, string>();

  constructor(options: { readonly colours: Colours; readonly now: () => number }) {
    this.#colours = options.colours;
    this.#now = options.now;
  }

  add(fact: Fact): Piece[] {
    if (fact.type === 'assistant_text') return [{ from: 'agent', text: plainText(fact.content) }];
    return this.#lines(fact).map((text) => ({ from: 'host', text }));
  }

  #lines(fact: Fact): string[] {
    const { bold, dim, red, yellow, green } = this.#colours;
    switch (fact.type) {
      case 'user_message':
        return [`${bold(`› ${plainText(fact.text)}`)} ${dim(plainLine(fact.actor))}`];
      case 'tool_start':
        this.#tools.set(fact.id, toolWords(fact.tool, fact.params));
        return [];
      case 'tool_end':
        return [this.#toolLine(fact)];
      case 'subagent_started':
        return [dim(`↳ sub-agent ${plainLine(fact.agentType)} started`)];
      case 'prompt_asked':
        return fact.item.content.map(({ text }) => yellow(plainText(text)));
      case 'prompt_settled': {
        const { actor } = fact.item.metadata.prompt;
        const by = actor === undefined ? '' : dim(` by ${plainLine(actor)}`);
        return fact.item.content.map(({ text }) => plainText(text) + by);
      }
      case 'dispatch_started':
        return fact.attempt > 1 ? [dim(`attempt ${fact.attempt}`)] : [];
      case 'attempt_ended': {
        const next = fact.retryAt === undefined ? '' : dim(` · next try ${until(fact.retryAt, this.#now())}`);
        return [`attempt ${fact.attempt}: ${outcomeLine(fact.outcome, this.#colours)}${next}`];
      }
      case 'dispatch_ended':
        return [outcomeLine(fact.outcome, this.#colours)];
      case 'verified': {
        const mark = fact.passed ? green('✓ verified') : red('✗ verification failed');
        const output = fact.passed ? [] : lastLines(fact.output).map((line) => dim(`  ${line}`));
        return [`${mark} ${plainLine(fact.command)}`, ...output];
      }
      case 'run_ended':
        return fact.reason === undefined && !isClean(fact.exit)
          ? [red(`! the agent's process ended: ${exitWords(fact.exit)}`)]
          : [];
      case 'interrupted':
        return [yellow('- interrupted')];
      case 'model_changed':
        return [dim(`- the model is now ${plainLine(fact.model)}`)];
      case 'permission_mode_changed':
        return [dim(`- the permission mode is now ${fact.mode}`)];
      case 'notice':
        return [dim(`- ${plainLine(fact.message)}`)];
      case 'warning':
        return [yellow(`! ${plainLine(fact.message)}`)];
      case 'error':
      case 'auth_error':
        return [red(`! ${plainLine(fact.message)}`)];
      default:
        return [];
    }
  }

  #toolLine(fact: Extract<Fact, { type: 'tool_end' }>): string {
    const { dim, green, red } = this.#colours;
    const words = this.#tools.get(fact.id) ?? plainLine(fact.tool);
    this.#tools.delete(fact.id);
    const took = dim(duration(fact.duration));
    if (fact.success) return `${green('✓')} ${words} ${took}`;
    return `${red('✗')} ${words} ${took} ${dim(fit(plainLine(fact.summary), summaryWidth))}`;
  }
}

function lastLines(output: string): string[] {
  const text = plainText(output).trimEnd();
  return text === '' ? [] : text.split('\n').slice(-verifyLines);
}

function isClean(exit: AgentExit): boolean {
  return exit.exitCode === 0 && !exit.oom;
}

function exitWords({ exitCode, signal, oom }: AgentExit): string {
  if (oom) return 'out of memory';
  return signal ?? `exit code ${exitCode ?? 'unknown'}`;
}
