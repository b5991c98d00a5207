import { pauseIn, signalIn } from './victims.js';

/**
 * @typedef {{ keeper: import('./worker-keeper.js').WorkerKeeper, place: import('./victims.js').Place, pauseMs: number }} Target
 * @typedef {{ breaks: boolean, strike: (target: Target) => boolean }} KnownBlow  `breaks`: the agent of the thread may be another one afterwards
 * @typedef {keyof typeof known} Blow
 */

/** What is done to processes, each saying whether it hit anything. */
const known = {
  'worker killed': survived(({ keeper }) => keeper.kill()),
  'worker terminated': survived(({ keeper }) => keeper.terminate()),
  'worker stopped': survived(({ keeper, pauseMs }) => keeper.pause(pauseMs)),
  'runner stopped': survived(({ place, pauseMs }) => pauseIn('runner', place, pauseMs)),
  'agent stopped': survived(({ place, pauseMs }) => pauseIn('agent', place, pauseMs)),
  // What people decide next is decided by a worker that has not met the runner.
  'runner stopped, worker killed': survived(({ keeper, place, pauseMs }) =>
    [pauseIn('runner', place, pauseMs), keeper.kill()].some(Boolean),
  ),
  'runner killed': breaking(({ place }) => signalIn('runner', place, 'SIGKILL')),
  'runner terminated': breaking(({ place }) => signalIn('runner', place, 'SIGTERM')),
  'agent killed': breaking(({ place }) => signalIn('agent', place, 'SIGKILL')),
  'agent terminated': breaking(({ place }) => signalIn('agent', place, 'SIGTERM')),
  'worker and runner killed': breaking(({ keeper, place }) =>
    [keeper.kill(), signalIn('runner', place, 'SIGKILL')].some(Boolean),
  ),
  'worker, runner and agent killed': breaking(({ keeper, place }) =>
    [keeper.kill(), signalIn('agent', place, 'SIGKILL'), signalIn('runner', place, 'SIGKILL')].some(Boolean),
  ),
};
const names = /** @type {[Blow, ...Blow[]]} */ (Object.keys(known));

/** All of them, those that every agent lives through, or those that kill. @param {{ mayBreak: boolean, isDeadly: boolean }} which @returns {readonly [Blow, ...Blow[]]} */
export function blowsThat({ mayBreak, isDeadly }) {
  const chosen = names.filter(
    (name) =>
      (mayBreak || !breaks(name)) && (!isDeadly || (name.endsWith('killed') && !name.includes('stopped'))),
  );
  return /** @type {[Blow, ...Blow[]]} */ (chosen);
}

/** Whether the agent of a thread may be another one afterwards. @param {Blow} blow */
export function breaks(blow) {
  return known[blow].breaks;
}

/** Says whether anything was hit. @param {Blow} blow @param {Target} target */
export function strike(blow, target) {
  return known[blow].strike(target);
}

/** @param {KnownBlow['strike']} strike @returns {KnownBlow} */
function survived(strike) {
  return { breaks: false, strike };
}

/** @param {KnownBlow['strike']} strike @returns {KnownBlow} */
function breaking(strike) {
  return { breaks: true, strike };
}
