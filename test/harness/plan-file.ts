import type { Simulator } from '../../src/simulator/index.js';

/**
 * The file that Claude Code told its model to write the plan to. Looked for in every request, because the newest one may
 * be another agent's that goes on beside.
 */
export function planFile({ modelRequests }: Pick<Simulator, 'modelRequests'>): string {
  for (const { body } of modelRequests().toReversed()) {
    const [path] = /\/[^\s"\\`]*\/plans\/[^\s"\\`]+\.md/.exec(JSON.stringify(body)) ?? [];
    if (path !== undefined) return path;
  }
  throw new Error('No agent was told where to write a plan.');
}
