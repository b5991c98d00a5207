/**
 * One turn of one agent: what is said to it, and what must come of it.
 * @typedef {{ number: number, commandId: string, content: string, question: { text: string, answer: string } | null }} Turn
 */

/** @type {readonly ['plain', 'plain', 'slow', 'ask first', 'ask last']} */
const shapes = ['plain', 'plain', 'slow', 'ask first', 'ask last'];

/**
 * A turn appends its number to a file; some ask before it, some after it, some are slow.
 * @param {number} agent @param {number} number @param {import('./dice.js').Dice} dice @returns {Turn}
 */
export function newTurn(agent, number, dice) {
  const shape = dice.pick(shapes);
  const pause = shape === 'slow' ? `sleep 0.${dice.between(1, 4)}; ` : '';
  const append = `[[tool Bash {"command":"${pause}echo ${number} >> log.txt"}]]`;
  const text = `May agent ${agent} go on with turn ${number}?`;
  const ask = `[[ask ${text} | Yes | No]]`;
  const steps = {
    plain: [append],
    slow: [`[[delay ${dice.between(50, 300)}]] [[text Slowly.]] ${append}`],
    'ask first': [ask, append],
    'ask last': [append, ask],
  }[shape];
  return {
    number,
    commandId: `agent-${agent}-turn-${number}`,
    content: `${heading(agent, number)} ${[...steps, `[[text ${lastWords(number)}]]`].join(' [[next]] ')}`,
    question: steps.includes(ask) ? { text, answer: dice.pick(['Yes', 'No']) } : null,
  };
}

/** What the model says at the end of a turn. @param {number} number */
export function lastWords(number) {
  return `turn ${number} is done`;
}

/** The turns that a text announces, by agent. @param {string} text */
export function announced(text) {
  return [...text.matchAll(/Agent (\d+), turn (\d+):/g)].map(([, agent, turn]) => ({
    agent: Number(agent),
    turn: Number(turn),
  }));
}

/** @param {number} agent @param {number} number */
function heading(agent, number) {
  return `Agent ${agent}, turn ${number}:`;
}
