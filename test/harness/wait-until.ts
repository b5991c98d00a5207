// Tests wait as the contract suite does.
export { eventually, holdsWithin, waitUntil } from '../../src/testing/wait-until.js';
