import { command } from './storm-runtimes.js';

/** What the model says at the end of every turn. */
export const lastWords = 'Over.';

/** @typedef {'question' | 'two questions' | 'approval' | 'batch' | 'sub-agent' | 'left in a file' | 'several'} AskingShape  of a thread that asks before it acts */
/** @typedef {'plain' | 'slow' | 'ask first' | 'ask last'} ActingShape  of a thread that acts unasked */
/** @typedef {AskingShape | ActingShape} Shape */

/** @type {readonly [AskingShape, ...AskingShape[]]} */
const askingShapes = [
  'question',
  'question',
  'question',
  'several',
  'several',
  'several',
  'two questions',
  'approval',
  'approval',
  'batch',
  'sub-agent',
  'left in a file',
];
/** @type {readonly [ActingShape, ...ActingShape[]]} */
const actingShapes = ['plain', 'plain', 'slow', 'ask first', 'ask last'];

/**
 * A piece of work in the simulator's own words. One of a thread that acts unasked appends its number to a file.
 * @param {{ word: string, thread: number, number: number, workspace: string, acts: boolean, runtime: import('./storm-runtimes.js').StormRuntime, dice: import('./dice.js').Dice }} work
 * @returns {{ shape: Shape, text: string }}
 */
export function newWork({ word, thread, number, workspace, acts, runtime, dice }) {
  const { shell, asking, questions, batch, leave } = runtime;
  const shape = acts ? dice.pick(actingShapes) : shapeOf(runtime, dice);
  const ask = (/** @type {number} */ which) => `[[ask Question ${which} of ${number}? | Yes | No]]`;
  const pause = shape === 'slow' ? `sleep 0.${dice.between(1, 4)}; ` : '';
  const append = said(shell(`${pause}echo ${number} >> log.txt`));
  /** @type {Record<Shape, string[]>} */
  const steps = {
    plain: [append],
    slow: [`[[delay ${dice.between(50, 300)}]] [[text Slowly.]] ${append}`],
    'ask first': [ask(1), append],
    'ask last': [append, ask(1)],
    question: [ask(1)],
    several: [ask(1), ask(2), ask(3)],
    'two questions': [said(questions([part('First', number), part('Second', number)]))],
    approval: [said(asking(command))],
    batch: [batch.map((call) => said(call)).join(' ')],
    'sub-agent': [
      said(
        helperOf(runtime)(
          `sub:${thread}:${number}: ${said(asking(command), '<<', '>>')} <<next>> <<text The child is done.>>`,
        ),
      ),
    ],
    'left in a file': [said(leave(`What about ${number}?`, workspace))],
  };
  return { shape, text: `${word} ${[...steps[shape], `[[text ${lastWords}]]`].join(' [[next]] ')}` };
}

/**
 * Until when the questions of one piece of work wait; of most they wait for ever.
 * @param {{ mayFail: boolean, dice: import('./dice.js').Dice }} how
 * @returns {Pick<import('../../dist/protocol/index.js').DispatchRequest, 'unanswered'>}
 */
export function newPatience({ mayFail, dice }) {
  if (dice.between(1, 4) > 1) return {};
  const afterSeconds = dice.pick([0.3, 1, 2, 3]);
  const policy = dice.pick(['deny', 'deny', 'default_option', mayFail ? 'fail' : 'deny']);
  /** @type {{ policy: 'deny' | 'fail', afterSeconds: number }} */
  const rule = { policy: policy === 'fail' ? 'fail' : 'deny', afterSeconds };
  const question =
    policy === 'default_option' ? { policy: /** @type {'default_option'} */ (policy), afterSeconds } : rule;
  return { unanswered: { text: rule, approval: rule, ask_user_question: question } };
}

/** What the model does when the answer comes as a message. @param {import('./storm-runtimes.js').StormRuntime} runtime @returns {import('../../dist/simulator/index.js').ScriptInput} */
export function scriptOf({ asking }) {
  return {
    replies: [
      { when: { prompt: `${JSON.stringify({ command })}. It is approved` }, blocks: [asking(command)] },
    ],
  };
}

/** A shape that the runtime has. @param {import('./storm-runtimes.js').StormRuntime} runtime @param {import('./dice.js').Dice} dice */
function shapeOf({ helper }, dice) {
  const shape = dice.pick(askingShapes);
  return shape === 'sub-agent' && !helper ? 'approval' : shape;
}

/** @param {import('./storm-runtimes.js').StormRuntime} runtime */
function helperOf({ helper, asking }) {
  return helper ?? (() => asking(command));
}

/** @param {import('./storm-runtimes.js').Call} call */
function said({ tool, input }, begin = '[[', end = ']]') {
  return `${begin}tool ${tool} ${JSON.stringify(input)}${end}`;
}

/** @param {string} which @param {number} number */
function part(which, number) {
  const options = ['Yes', 'No'].map((label) => ({ label, description: label }));
  return { question: `${which} of ${number}?`, header: which, options };
}
