import { ClaudeEvidence } from '../../dist/runtimes/claude/status.js';
import { CodexEvidence } from '../../dist/runtimes/codex/status.js';
import { OpencodeEvidence } from '../../dist/runtimes/opencode/status.js';
import { processEvidence } from '../../dist/runtimes/process-evidence.js';
import { WorkEvidence } from '../../dist/runtimes/work-evidence.js';

/**
 * What an agent of one runtime says at each step of its life, made by the runtime's own evidence module from what its program
 * sends (`docs/status.md`).
 * @typedef {import('../../dist/protocol/status.js').StatusEvidence} Evidence
 * @typedef {'live' | 'begin' | 'tool' | 'toolEnd' | 'ask' | 'answered' | 'background' | 'backgroundEnd' | 'retry' | 'retryEnd' | 'end' | 'leave'} Step
 * @typedef {{ tells: boolean, says: (step: Step) => readonly Evidence[] }} Dialect
 */

/** @type {Record<string, any>} */
const facts = {
  begin: { type: 'turn_started', origin: 'message' },
  tool: { type: 'tool_start', tool: 'Bash' },
  toolEnd: { type: 'tool_end', tool: 'Bash' },
  background: { type: 'background_tasks', open: ['task'] },
  backgroundEnd: { type: 'background_tasks', open: [] },
  retryEnd: { type: 'text_delta', content: 'x' },
  end: { type: 'turn_ended' },
};

/** @param {WorkEvidence} evidence @param {Step} step */
const told = (evidence, step) => (facts[step] ? evidence.ofFact(facts[step]) : []);

/** @param {() => number} now @returns {Dialect} */
function claude(now) {
  const evidence = new ClaudeEvidence(now);
  /** @param {string} state */
  const states = (state) => evidence.ofMessage({ type: 'system', subtype: 'session_state_changed', state });
  return {
    tells: true,
    says: (step) => {
      switch (step) {
        case 'live':
          return evidence.ofMessage({ type: 'system', subtype: 'init' });
        case 'begin':
          return [...told(evidence, step), ...states('running')];
        case 'ask':
          return states('requires_action');
        case 'answered':
          return states('running');
        case 'retry':
          return evidence.ofMessage({
            type: 'system',
            subtype: 'api_retry',
            attempt: 1,
            max_retries: 10,
            retry_delay_ms: 500,
            error_status: 529,
            error: 'overloaded',
          });
        case 'end':
          return [...told(evidence, step), ...states('idle')];
        default:
          return told(evidence, step);
      }
    },
  };
}

/** @param {() => number} now @returns {Dialect} */
function codex(now) {
  const evidence = new CodexEvidence(now);
  /** @param {string} type @param {string[]} activeFlags */
  const states = (type, activeFlags = []) => {
    const params = /** @type {any} */ ({ threadId: 'main', status: { type, activeFlags } });
    return evidence.ofNotification({ kind: 'thread/status/changed', params }, 'main');
  };
  return {
    tells: true,
    says: (step) => {
      switch (step) {
        case 'live':
          return evidence.signOfLife();
        case 'begin':
          return [...states('active'), ...told(evidence, step)];
        case 'ask':
          return states('active', ['waitingOnUserInput']);
        case 'answered':
          return states('active');
        case 'retry': {
          const error = { message: 'Reconnecting... 1/5' };
          const params = /** @type {any} */ ({ threadId: 'main', willRetry: true, error });
          return evidence.ofNotification({ kind: 'error', params }, 'main');
        }
        // It says idle just before it says that the turn is over (measured).
        case 'end':
          return [...states('idle'), ...told(evidence, step)];
        default:
          return told(evidence, step);
      }
    },
  };
}

/** @param {() => number} now @returns {Dialect} */
function opencode(now) {
  const evidence = new OpencodeEvidence(now);
  /** @param {string} kind @param {object} [properties] */
  const says = (kind, properties = {}) =>
    evidence.ofEvent(/** @type {any} */ ({ kind, properties: { sessionID: 'main', ...properties } }), 'main');
  /** @param {string} type @param {object} [more] */
  const states = (type, more = {}) => says('session.status', { status: { type, ...more } });
  return {
    tells: true,
    says: (step) => {
      switch (step) {
        case 'live':
          return says('server.connected');
        // It repeats itself (measured).
        case 'begin':
          return [...told(evidence, step), ...states('busy'), ...states('busy')];
        case 'tool':
        case 'toolEnd':
          return [...told(evidence, step), ...states('busy')];
        case 'ask':
          return says('question.asked');
        case 'answered':
          return says('question.replied');
        case 'retry':
          return states('retry', { attempt: 1, message: 'Overloaded' });
        case 'retryEnd':
          return [...states('busy'), ...told(evidence, step)];
        case 'end':
          return [...told(evidence, step), ...states('idle')];
        default:
          return told(evidence, step);
      }
    },
  };
}

/** @param {() => number} now @returns {Dialect} */
function acp(now) {
  const evidence = new WorkEvidence('acp:gemini', now);
  return {
    tells: true,
    says: (step) =>
      step === 'live' ? [evidence.report('sign_of_life', 'initialize')] : told(evidence, step),
  };
}

/** A process for each turn, of which nothing else is known. @param {'exec' | 'amp'} name @returns {(now: () => number) => Dialect} */
const processOnly = (name) => (now) => ({
  tells: false,
  says: (step) => {
    if (step === 'begin') return [processEvidence(name, 'sign_of_life', now())];
    return step === 'end' ? [processEvidence(name, 'exited', now())] : [];
  },
});

/** @type {Record<string, (now: () => number) => Dialect>} */
export const dialects = {
  claude,
  codex,
  opencode,
  acp,
  exec: processOnly('exec'),
  amp: processOnly('amp'),
};
