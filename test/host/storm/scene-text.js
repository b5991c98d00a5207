import { join } from 'node:path';

/** The command of every approval, so that a model that was told to repeat it can. */
export const command = 'echo did >> log.txt';

/** @typedef {'question' | 'two questions' | 'approval' | 'batch' | 'sub-agent' | 'left in a file' | 'several'} Shape */

/** @type {readonly ['question', 'question', 'question', 'several', 'several', 'several', 'two questions', 'approval', 'approval', 'batch', 'sub-agent', 'left in a file']} */
const shapes = [
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

/**
 * A piece of work that asks, in the simulator's own words.
 * @param {{ name: string, workspace: string, dice: import('../chaos/dice.js').Dice }} work
 * @returns {{ shape: Shape, text: string }}
 */
export function newWork({ name, workspace, dice }) {
  const shape = dice.pick(shapes);
  const ask = (/** @type {number} */ number) => `[[ask Question ${number} of ${name}? | Yes | No]]`;
  /** @type {Record<Shape, string[]>} */
  const steps = {
    question: [ask(1)],
    several: [ask(1), ask(2), ask(3)],
    'two questions': [tool('AskUserQuestion', { questions: [part('First', name), part('Second', name)] })],
    approval: [tool('Bash', { command })],
    batch: [`${fetching('a')} ${fetching('b')}`],
    'sub-agent': [
      tool('Agent', {
        description: 'a helper',
        prompt: `<<tool Bash ${JSON.stringify({ command })}>> <<next>> <<text The child is done.>>`,
        subagent_type: 'general-purpose',
        run_in_background: false,
      }),
    ],
    'left in a file': [
      tool('Write', {
        file_path: join(workspace, '.agora', 'needs_input.json'),
        content: JSON.stringify({ question: `What about ${name}?` }),
      }),
    ],
  };
  return { shape, text: `${name}: ${[...steps[shape], '[[text Over.]]'].join(' [[next]] ')}` };
}

/** What the model does when the answer comes as a message. @type {import('../../../dist/simulator/index.js').ScriptInput} */
export const script = {
  replies: [
    {
      when: { prompt: `${JSON.stringify({ command })}. It is approved` },
      blocks: [{ tool: 'Bash', input: { command } }],
    },
  ],
};

/** @param {string} name @param {object} input */
function tool(name, input) {
  return `[[tool ${name} ${JSON.stringify(input)}]]`;
}

/** @param {string} path */
function fetching(path) {
  return tool('WebFetch', { url: `http://127.0.0.1:1/${path}`, prompt: path });
}

/** @param {string} which @param {string} name */
function part(which, name) {
  const options = ['Yes', 'No'].map((label) => ({ label, description: label }));
  return { question: `${which} of ${name}?`, header: which, multiSelect: false, options };
}
