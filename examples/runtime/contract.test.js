// The contract that every runtime of Handraise keeps, against this adapter: `npx vitest run`.
import { fileURLToPath } from 'node:url';
import { runtimePackageContract } from 'handraise/testing';

const folder = fileURLToPath(new URL('.', import.meta.url));
const shell = (/** @type {string} */ command) => `[[shell ${JSON.stringify(command)}]]`;

await runtimePackageContract({
  folder,
  // The agent only prints text. One that tells of its tools says 'everything', and more is expected of it.
  tells: 'text',
  process: 'scripted-agent.js',
  // An agent with a model is led to `simulator.url`, which does what the [[…]] of a message say. This one does it itself.
  env: () => ({
    PATH: process.env['PATH'] ?? '',
    MY_AGENT: `${process.execPath} ${folder}scripted-agent.js`,
  }),
  shell,
  asking: shell,
});
