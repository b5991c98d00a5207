import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pc from 'picocolors';

/**
 * @typedef {import('./workspace.js').Workspace} Workspace
 * @typedef {import('./model.js').Model} Model
 */

/** Says what happens, one line per thing, each with the time since the start. */
export class Storyteller {
  #output;
  #start = performance.now();
  #simulated = false;
  #asked = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #ticker;

  /** @param {NodeJS.WriteStream} output */
  constructor(output) {
    this.#output = output;
  }

  /** @param {{ workspace: Workspace, model: Model }} scene */
  open({ workspace, model }) {
    this.#simulated = model.simulated;
    this.#write(pc.bold('Handraise: a real Claude Code process asks, and you answer.\n'));
    this.#line(pc.dim('◆'), 'workspace', `${workspace.path}${workspace.isRepository ? ' (git)' : ''}`);
    this.#line(pc.dim('◆'), 'model', model.name);
    this.#line(pc.dim('◆'), 'task', model.task);
    this.#wait('starting the agent');
  }

  /** @param {import('handraise/protocol').Event} event */
  tell(event) {
    switch (event.type) {
      case 'init':
        this.#line(pc.dim('◆'), 'agent', agentOf(event));
        return this.#wait('working');
      case 'assistant_text':
        return this.#line(pc.cyan('“'), 'says', event.content.trim());
      case 'tool_start':
        return event.tool === 'AskUserQuestion' ? undefined : this.#started(event);
      case 'tool_end':
        return event.tool === 'AskUserQuestion' ? undefined : this.#ended(event);
      case 'user_question_request':
        return this.#line(pc.yellow('?'), 'asks', event.questions.map(({ question }) => question).join(' '));
      case 'permission_request':
        return this.#line(pc.yellow('?'), 'asks', `May it use ${event.tool}? ${subjectOf(event.input)}`);
      case 'warning':
        return this.#line(pc.yellow('!'), 'warning', event.message);
      case 'error':
      case 'auth_error':
        return this.#line(pc.red('✗'), 'error', event.message);
      case 'result':
        return this.#result(event);
      default:
        return undefined;
    }
  }

  /** @param {string[]} labels */
  choices(labels) {
    this.#asked += 1;
    this.#still();
    for (const [index, label] of labels.entries())
      this.#write(`${' '.repeat(23)}${pc.bold(index + 1)}  ${label}\n`);
  }

  /**
   * @param {string} choice
   * @param {boolean} byHand
   */
  answered(choice, byHand) {
    const note = byHand ? '' : pc.dim(' (no terminal, so the demo answers by itself)');
    this.#line(pc.green('←'), 'answer', `${choice}${note}`);
    this.#wait('working');
  }

  interrupted() {
    this.#line(pc.yellow('■'), 'stopped', 'The agent and all of its processes are gone.');
  }

  /** @param {{ succeeded: boolean, workspace: Workspace, model: Model, stderr: string }} ending */
  async close({ succeeded, workspace, model, stderr }) {
    this.#still();
    if (!succeeded) {
      this.#write(`\n${pc.red('The agent did not finish.')} ${workspace.path} is as it left it.\n${stderr}`);
      return;
    }
    const written = await readFile(join(workspace.path, 'announcement.md'), 'utf8').catch(() => null);
    const outcome = written === null ? 'Nothing was written.' : `announcement.md says:\n  ${written.trim()}`;
    this.#write(
      `\n${pc.bold('What happened')}: the agent stopped for an answer ${this.#asked} times, and went on with it.\n`,
    );
    this.#write(`${outcome}\nThe workspace is still there: ${workspace.path}\n\n`);
    this.#write(`${pc.bold('Try next')}\n`);
    for (const [command, purpose] of nextSteps(model))
      this.#write(`  ${pc.cyan(command)}\n      ${purpose}\n`);
  }

  /** @param {import('handraise/protocol').Event<'tool_start'>} event */
  #started({ tool, params }) {
    this.#line(pc.blue('▸'), 'tool', `${tool} ${subjectOf(params)}`);
    this.#wait('working');
  }

  /** @param {import('handraise/protocol').Event<'tool_end'>} event */
  #ended({ tool, success, summary, duration }) {
    if (success) this.#line(pc.green('✓'), 'done', `${tool}, ${Math.round(duration)} ms`);
    else this.#line(pc.red('✗'), 'failed', `${tool}: ${summary}`);
    this.#wait('working');
  }

  /** @param {import('handraise/protocol').Event<'result'>} event */
  #result({ success, cost, turns, stats, errors }) {
    const price =
      cost === null ? 'cost unknown' : `$${cost.toFixed(4)}${this.#simulated ? ' if it were real' : ''}`;
    const counts = `${turns} model calls, ${stats.toolCalls} tool calls, ${price}`;
    if (success) this.#line(pc.green('✓'), 'finished', counts);
    else this.#line(pc.red('✗'), 'failed', `${errors?.join(' ') ?? 'no reason given'} (${counts})`);
    this.#wait('ending the agent');
  }

  /**
   * @param {string} symbol
   * @param {string} word
   * @param {string} text
   */
  #line(symbol, word, text) {
    this.#still();
    this.#write(`${pc.dim(this.#elapsed())}  ${symbol} ${word.padEnd(10)} ${text}\n`);
  }

  // Off a terminal nothing moves, so that a log stays a log.
  #wait(/** @type {string} */ what) {
    if (!this.#output.isTTY) return;
    this.#still();
    const tick = () => this.#write(`\r${pc.dim(`${this.#elapsed()}  · ${what}`)}`);
    this.#ticker = setInterval(tick, 100);
    tick();
  }

  #still() {
    if (this.#ticker === undefined) return;
    clearInterval(this.#ticker);
    this.#ticker = undefined;
    this.#write('\r\u001b[2K');
  }

  #elapsed() {
    return `${((performance.now() - this.#start) / 1000).toFixed(1).padStart(6)}s`;
  }

  /** @param {string} text */
  #write(text) {
    this.#output.write(text);
  }
}

/** @param {import('handraise/protocol').Event<'init'>} event */
function agentOf({ runtimeVersion, model, tools, permissionMode }) {
  return `Claude Code ${runtimeVersion ?? ''}, ${model}, ${tools.length} tools, permission mode ${permissionMode}`;
}

/** @param {Record<string, unknown>} input */
function subjectOf(input) {
  const path = input.file_path;
  if (typeof path === 'string') return basename(path);
  return JSON.stringify(input).slice(0, 100);
}

/** @param {Model} model */
function nextSteps({ simulated }) {
  return [
    ...(simulated ? [['ANTHROPIC_API_KEY=… npm run demo', 'the same with the real model']] : []),
    [
      'node examples/parent.js "What is in this folder?"',
      'a parent of the runner in 30 lines, for your Claude login or key',
    ],
    ['node bin/handraise.js sim --help', 'the scripted model for your own tests'],
  ];
}
