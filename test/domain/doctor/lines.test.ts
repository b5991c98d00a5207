import { expect, test } from 'vitest';
import { agentLines, type ExaminedRuntime } from '../../../src/domain/doctor/agent-lines.js';
import { type DoctorLine, isSick } from '../../../src/domain/doctor/doctor-line.js';
import { type ExaminedWorker, workerLines } from '../../../src/domain/doctor/worker-lines.js';
import type { Finding } from '../../../src/domain/preflight/finding.js';

const record = {
  runtimes: {
    codex: { version: '1.2.3', works: ['tools', 'questions'], fails: ['plans'] },
    amp: { version: null, works: ['tools'], fails: [] },
  },
};
const codex = (more: Partial<ExaminedRuntime> = {}): ExaminedRuntime => ({
  name: 'codex',
  isUsual: false,
  installed: { found: true, version: '1.2.3' },
  findings: [],
  ...more,
});
const login: Finding = { subject: 'login', stops: 'no_permission', problem: 'Nobody.', fix: 'Sign in.' };
const rules: Finding = { subject: 'ask_rules', problem: 'It asks.', fix: 'Remove them.' };
const missing = { found: false, missing: 'Codex is not installed. Install it with "x".' } as const;

test.each<[string, ExaminedRuntime, Omit<DoctorLine, 'part' | 'name'>[]]>([
  [
    'the version that was tested',
    codex(),
    [{ state: 'good', says: '1.2.3; 2 of 3 signals work (not: plans), tested with this version' }],
  ],
  [
    'another version',
    codex({ installed: { found: true, version: '2.0.0' } }),
    [
      {
        state: 'warns',
        says: '2.0.0; 2 of 3 signals work (not: plans) with 1.2.3; 2.0.0 was not tested',
        fix: 'Watch its first work, or install the version that was tested.',
      },
    ],
  ],
  [
    'a version that nobody knows',
    codex({ installed: { found: true } }),
    [
      {
        state: 'warns',
        says: 'there; 2 of 3 signals work (not: plans) with 1.2.3; it does not tell its version',
        fix: 'Ask it yourself with --version. If it fails, install it again.',
      },
    ],
  ],
  [
    'a stand-in',
    codex({ name: 'amp', installed: { found: true } }),
    [{ state: 'good', says: 'there; 1 of 1 signals work, tested with a stand-in for its program' }],
  ],
  ['no record', codex({ name: 'npm:mine' }), [{ state: 'good', says: '1.2.3' }]],
  [
    'one that is not there',
    codex({ installed: missing }),
    [{ state: 'absent', says: 'Codex is not installed.', fix: 'Install it with "x".' }],
  ],
  [
    'the usual one that is not there',
    codex({ installed: missing, isUsual: true }),
    [{ state: 'broken', says: 'Codex is not installed.', fix: 'Install it with "x".' }],
  ],
  [
    'one that nobody is signed in to',
    codex({ findings: [login] }),
    [{ state: 'warns', says: 'Nobody.', fix: 'Sign in.' }],
  ],
  [
    'the usual one, with two things',
    codex({ isUsual: true, findings: [login, rules] }),
    [
      { state: 'broken', says: 'Nobody.', fix: 'Sign in.' },
      { state: 'warns', says: 'It asks.', fix: 'Remove them.' },
    ],
  ],
])('an agent: %s', (_what, runtime, lines) => {
  const shown = agentLines(runtime, record);
  expect(shown).toEqual(lines.map((line) => ({ part: 'Agents', name: runtime.name, ...line })));
});

test.each<[ExaminedWorker, string[]]>([
  [{ state: 'none' }, ['good']],
  [{ state: 'unreadable', why: 'worker.json is damaged.' }, ['broken']],
  [{ state: 'silent', pid: 7 }, ['broken']],
  [{ state: 'answers', pid: 7, version: '1', runtimes: ['claude', 'codex'] }, ['good']],
  [{ state: 'answers', pid: 7, version: '0', runtimes: ['claude', 'codex'] }, ['broken']],
  [{ state: 'answers', pid: 7, version: '1', runtimes: ['claude'] }, ['good', 'warns']],
])('the worker %j', (worker, states) => {
  const lines = workerLines(worker, { version: '1', runtimes: ['claude', 'codex'] });
  expect(lines.map(({ state }) => state)).toEqual(states);
  for (const { state, fix } of lines) expect(fix !== undefined).toBe(state !== 'good');
  expect(isSick(lines)).toBe(states.includes('broken'));
});
