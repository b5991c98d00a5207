import type { Fact } from '../../client/thread-event.js';
import { seenFolder } from '../../domain/container/seen-folder.js';
import { actorWords } from '../../domain/words/actor-words.js';
import { duration, until } from '../../domain/words/age.js';
import { askText } from '../../domain/words/ask-text.js';
import type { Asker, PromptContent } from '../../domain/words/ask-words.js';
import { ranWords } from '../../domain/words/changed-input.js';
import { clockTime } from '../../domain/words/clock-time.js';
import { exitWords, isCleanExit } from '../../domain/words/exit-words.js';
import { modeWords } from '../../domain/words/mode-words.js';
import { plainLine, plainText } from '../../domain/words/plain-text.js';
import { isPromptTool } from '../../domain/words/prompt-tool.js';
import { auditWords } from '../../domain/words/settlement-words.js';
import { closedWords, openedWords } from '../../domain/words/terminal-words.js';
import { toolWords } from '../../domain/words/tool-words.js';
import { PromptAction } from '../../protocol/prompt.js';
import type { Colours } from '../terminal/colours.js';
import { fitLine } from '../terminal/fit.js';
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
  readonly #asker: Asker | undefined;
  readonly #colours: Colours;
  readonly #now: () => number;
  readonly #tools = new Map<string, Extract<Fact, { type: 'tool_start' }>['params']>();
  /** Whether something was asked since a tool began that does nothing else. */
  #hasAsked = false;

  constructor(options: {
    /** Whose agent it is. */
    readonly asker: Asker | undefined;
    readonly colours: Colours;
    readonly now: () => number;
  }) {
    this.#asker = options.asker;
    this.#colours = options.colours;
    this.#now = options.now;
  }

  add(fact: Fact): Piece[] {
    if (fact.type === 'assistant_text' || fact.type === 'terminal_text')
      return [{ from: 'agent', text: plainText(fact.content) }];
    return this.#lines(fact).map((text) => ({ from: 'host', text }));
  }

  #lines(fact: Fact): string[] {
    const { bold, dim, red, yellow, green } = this.#colours;
    switch (fact.type) {
      case 'user_message':
      case 'terminal_message':
        return [`${bold(`› ${plainText(fact.text)}`)} ${dim(actorWords(fact.actor))}`];
      case 'tool_start':
        this.#tools.set(fact.id, fact.params);
        if (isPromptTool(fact.tool)) this.#hasAsked = false;
        return [];
      case 'tool_end':
        return this.#isShownByPrompt(fact) ? [] : [this.#toolLine(fact)];
      case 'terminal_tool': {
        const words = toolWords(fact.tool, fact.params, seenFolder(this.#asker));
        if (fact.success) return [`${green('✓')} ${words}`];
        return [`${red('✗')} ${words} ${dim(fitLine(fact.summary, summaryWidth))}`];
      }
      case 'terminal_opened':
        return [dim(`- ${openedWords(fact)}`)];
      case 'terminal_closed':
        return [dim(`- ${closedWords(fact)}`)];
      case 'subagent_started':
        return [dim(`↳ Sub-agent ${plainLine(fact.agentType)} started`)];
      case 'prompt_asked':
        this.#hasAsked = true;
        return [yellow(askText(askedIn(fact.item.metadata.prompt), this.#asker))];
      case 'prompt_settled': {
        const { actor } = fact.item.metadata.prompt;
        const by = actor === undefined ? '' : dim(` · by ${actorWords(actor)}`);
        return [auditWords(fact.item) + by];
      }
      case 'dispatch_started':
        return fact.attempt > 1 ? [dim(`Attempt ${fact.attempt}`)] : [];
      case 'attempt_ended': {
        const next =
          fact.retryAt === undefined
            ? ''
            : fact.outcome.reason === 'rate_limit'
              ? dim(` · waits for quota until ${clockTime(fact.retryAt, { now: this.#now() })}`)
              : dim(` · next attempt ${until(fact.retryAt, this.#now())}`);
        return [`Attempt ${fact.attempt}: ${outcomeLine(fact.outcome, this.#colours)}${next}`];
      }
      case 'dispatch_ended':
        return [outcomeLine(fact.outcome, this.#colours)];
      case 'verified': {
        const mark = fact.passed ? green('✓ Verified:') : red('✗ Verification failed:');
        const output = fact.passed ? [] : lastLines(fact.output).map((line) => dim(`  ${line}`));
        return [`${mark} ${plainLine(fact.command)}`, ...output];
      }
      case 'setup_ran': {
        const mark = fact.passed ? green('✓ Set up:') : red('✗ Set-up failed:');
        const output = fact.passed ? [] : lastLines(fact.output).map((line) => dim(`  ${line}`));
        return [`${mark} ${plainLine(fact.name)}`, ...output];
      }
      case 'run_ended':
        return fact.reason === undefined && !isCleanExit(fact.exit)
          ? [red(`! The agent's process ended ${exitWords(fact.exit)}.`)]
          : [];
      case 'interrupted':
        return [yellow('- Interrupted')];
      case 'model_changed':
        return [dim(`- Model: ${plainLine(fact.model)}`)];
      case 'permission_mode_changed':
        return [dim(`- The agent now ${modeWords[fact.mode]} (${fact.mode})`)];
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

  /** What a prompt has shown needs no line of its own; a tool that failed to ask does. */
  #isShownByPrompt({ tool, success }: Extract<Fact, { type: 'tool_end' }>): boolean {
    return isPromptTool(tool) && (success || this.#hasAsked);
  }

  #toolLine(fact: Extract<Fact, { type: 'tool_end' }>): string {
    const { dim, green, red } = this.#colours;
    const proposed = this.#tools.get(fact.id);
    this.#tools.delete(fact.id);
    const words = callWords(fact, proposed, seenFolder(this.#asker));
    const took = dim(duration(fact.duration));
    if (fact.success) return `${green('✓')} ${words} ${took}`;
    return `${red('✗')} ${words} ${took} ${dim(fitLine(fact.summary, summaryWidth))}`;
  }
}

/** A call in a few words, with what ran in place of what was proposed. */
function callWords(
  { tool, ranWith }: Extract<Fact, { type: 'tool_end' }>,
  proposed: Extract<Fact, { type: 'tool_start' }>['params'] | undefined,
  folder: string | undefined,
): string {
  if (ranWith && proposed) return ranWords(tool, { proposed, ran: ranWith }, folder);
  return toolWords(tool, ranWith ?? proposed ?? {}, folder);
}

type AskedPrompt = Extract<Fact, { type: 'prompt_asked' }>['item']['metadata']['prompt'];

function askedIn({ kind, questions, ...prompt }: AskedPrompt): PromptContent {
  const action = PromptAction.safeParse(prompt['action']).data;
  return { kind, questions, ...(action ? { action } : {}) };
}

function lastLines(output: string): string[] {
  const text = plainText(output).trimEnd();
  return text === '' ? [] : text.split('\n').slice(-verifyLines);
}
