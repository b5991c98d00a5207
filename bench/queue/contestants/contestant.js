/**
 * What a queue is to do in one process of a measurement.
 * @typedef {object} Task
 * @property {string} url of an empty database that other processes use too
 * @property {string} peers the folder that the pinned queues are installed in
 * @property {number} jobs so many this process puts into the queue
 * @property {number} loops so many workers at once
 * @property {number} batch so many are taken at once
 * @property {(count: number) => void} done hears of what is durably completed
 */

/**
 * @typedef {object} Contestant
 * @property {() => Promise<void>} work until nothing is left; it may go on for ever
 * @property {() => Promise<void>} close
 */

/** How many jobs are put into a queue at once before a measurement. */
export const fillAtOnce = 1000;
