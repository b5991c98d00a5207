// `handraise up` as a program of its own, which loads nothing that only other commands need.
import { addUp } from './commands/up.js';
import { runProgram } from './program.js';

await runProgram({ 'Worker:': { up: async () => addUp } });
