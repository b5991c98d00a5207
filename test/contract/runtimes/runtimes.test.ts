// @module-tag full
import { runtimeContract } from '../../../src/testing/contract.js';
import { rigs } from './rigs.js';

for (const rig of rigs) runtimeContract(rig);
