// The package entry `handraise/testing`: the contract that every runtime keeps, for the author of an adapter. It needs vitest.

export type { Simulator } from '../simulator/index.js';
export { Driver, type DriverOptions, type Exit } from './driver.js';
export { runtimePackageContract, type TestedPackage } from './runtime-package.js';
export type { StagePlace, TestStage } from './test-stage.js';
