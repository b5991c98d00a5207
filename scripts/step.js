// One step of a script: a program that is run, and how it went.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @typedef {{ name: string, command: [string, ...string[]] }} Step
 * @typedef {{ name: string, ok: boolean, seconds: number, output: string }} Outcome
 */

/**
 * Runs a step; its output is shown as it comes when `live`, else only when it failed.
 * @param {Step} step
 * @param {{ live?: boolean }} [options]
 * @returns {Promise<Outcome>}
 */
export async function runStep({ name, command }, { live = false } = {}) {
  console.log(`▸ ${name}: ${command.join(' ')}`);
  const start = performance.now();
  const [file, ...args] = command;
  const child = spawn(file, args, { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      if (live) process.stdout.write(text);
    });
  }
  const ok = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += `${error.message}\n`;
      resolve(false);
    });
    child.once('close', (code, signal) => {
      // Whoever is killed cannot say so.
      if (signal) console.log(`${name} was ended by ${signal}`);
      resolve(code === 0);
    });
  });
  if (!ok && !live) process.stdout.write(output);
  return { name, ok, seconds: (performance.now() - start) / 1000, output };
}

const failureMark = 'FAILED: ';
const longestFailure = 400;

/** One failure as one line. @param {string} what */
export function failureLine(what) {
  const [first = ''] = stripVTControlCharacters(what).split('\n');
  return `${failureMark}${first.slice(0, longestFailure)}`;
}

/** The failures that a step has named. @param {Outcome} outcome */
export function failureLines({ output }) {
  return output.split('\n').filter((line) => line.startsWith(failureMark));
}

/**
 * The last line of every run, for people and for CI.
 * @param {{ passed: number, failed: number, skipped?: number }} counts
 */
export function summaryLine({ passed, failed, skipped = 0 }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

// The programs of node_modules/.bin are on the PATH only when npm started us.
function environment() {
  const colour = process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {};
  return { ...process.env, ...colour, PATH: `${root}node_modules/.bin:${process.env.PATH}` };
}
