// Tests drive a runner as the contract suite does.
export { Driver, type DriverOptions, runnerFile } from '../../src/testing/driver.js';
