// @module-tag full
import { runtimeContract } from './contract.js';
import { rigs } from './rigs.js';

for (const rig of rigs) runtimeContract(rig);
