import type { ScriptInput } from './script.js';

const bash = (command: string) => ({ tool: 'Bash', input: { command } });

// Text is shown while it is written, and might overtake the end of the tool before it.
const delayMs = 300;

/** What the model says in docs/first-ten-minutes.md, by what it is asked. */
export const tour: ScriptInput = {
  replies: [
    {
      when: { prompt: 'greeting.txt', round: 0 },
      blocks: [{ ask: 'Which tone?', header: 'Tone', options: ['Friendly', 'Formal'] }],
    },
    {
      when: { prompt: 'greeting.txt', round: 1 },
      delayMs,
      blocks: [{ text: 'Formal it is.' }, bash('echo "Good day." > greeting.txt')],
    },
    { when: { prompt: 'greeting.txt', round: 2 }, delayMs, blocks: [{ text: 'greeting.txt is written.' }] },
    {
      when: { prompt: 'dependencies', round: 0 },
      blocks: [{ ask: 'Major versions, too?', header: 'Versions', options: ['Yes', 'No'] }],
    },
    {
      when: { prompt: 'dependencies', round: 1 },
      delayMs,
      blocks: [bash('echo "left-pad 1.3.0" > dependencies.txt')],
    },
    {
      when: { prompt: 'dependencies', round: 2 },
      delayMs,
      blocks: [{ text: 'Minor versions are up to date.' }],
    },
    { when: { prompt: 'this time', round: 0 }, blocks: [bash('echo 42 > total.txt')] },
    { when: { prompt: 'this time', round: 1 }, delayMs, blocks: [{ text: 'Now it is there.' }] },
    { when: { prompt: 'Add the total.', round: 0 }, blocks: [{ text: 'The total is added.' }] },
    {
      when: { prompt: 'Rename', round: 0 },
      blocks: [{ ask: 'What is the new name?', header: 'Name', options: ['Bazaar', 'Market'] }],
    },
    { when: { prompt: 'Rename', round: 1 }, delayMs, blocks: [{ text: 'The shop is renamed.' }] },
    { when: { prompt: 'Note what', round: 0 }, blocks: [{ text: 'I updated the minor versions.' }] },
  ],
};
