import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../bin/handraise-runner.js', import.meta.url));

/**
 * Starts `handraise-runner`: commands go in as JSON lines, events come out as JSON lines.
 * @param {{ cwd: string, env: Record<string, string | undefined> }} place
 */
export function startRunner({ cwd, env }) {
  // Only the project's own settings count: an allow rule of the user's would answer in the person's place.
  const flags = ['--cwd', cwd, '--permission-mode', 'default', '--setting-sources', 'project'];
  const child = spawn(process.execPath, [program, ...flags], { env });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  // A runner that is gone takes no commands; its exit tells the rest.
  child.stdin.on('error', () => undefined);
  return {
    events: eventsOf(child.stdout),
    /** @type {Promise<{ code: number | null, stderr: string }>} */
    exited: new Promise((resolve) => {
      child.once('close', (code) => resolve({ code, stderr }));
    }),
    /** @param {import('handraise/protocol').Command} command */
    send(command) {
      child.stdin.write(`${JSON.stringify(command)}\n`);
    },
    end() {
      child.kill('SIGTERM');
    },
  };
}

/**
 * @param {import('node:stream').Readable} output
 * @returns {AsyncGenerator<import('handraise/protocol').Event>}
 */
async function* eventsOf(output) {
  for await (const line of createInterface({ input: output })) yield JSON.parse(line);
}
