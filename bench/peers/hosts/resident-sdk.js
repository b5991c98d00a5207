import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Watch } from './seen.js';

const program = new URL('../resident.js', import.meta.url).pathname;

/** The bare SDK in one process that stays. @param {import('./seen.js').Place} place @returns {Promise<import('./seen.js').Host>} */
export async function openResidentSdk({ cwd, env }) {
  const child = spawn(process.execPath, [program], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  /** @type {Map<string, (said: { text?: string, ended?: boolean }) => void>} */
  const listeners = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line);
    listeners.get(said.id)?.(said);
  });
  /** @param {string} id @param {string} where @param {string} content @returns {Promise<import('./seen.js').Seen>} */
  const turn = async (id, where, content) => {
    const watch = new Watch();
    return await new Promise((resolve) => {
      listeners.set(id, ({ text, ended }) => (ended ? resolve(watch.ended()) : watch.text(text ?? '')));
      child.stdin.write(`${JSON.stringify({ id, cwd: where, content })}\n`);
    });
  };
  let sessions = 0;
  return {
    pid: child.pid ?? 0,
    readyMs: null,
    async begin(text, where) {
      sessions += 1;
      const id = String(sessions);
      const seen = await turn(id, where, text);
      return { session: { turn: (next) => turn(id, where, next), close() {} }, seen };
    },
    async close() {
      child.kill();
      await exited;
    },
  };
}
