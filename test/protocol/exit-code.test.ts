import { expect, test } from 'vitest';
import { ExitCode, exitCodeOf, exitCodeTable, Failure, failureTable } from '../../src/protocol/index.js';
import { keysOf } from '../../src/protocol/keys.js';

test('every code has the number and the action that orchestrators rely on', () => {
  const rows = keysOf(ExitCode).map((name) => [ExitCode[name], name, exitCodeTable[name].action]);

  expect(rows).toEqual([
    [0, 'success', 'proceed'],
    [1, 'failure', 'retry'],
    [2, 'blocked', 'escalate'],
    [64, 'usage', 'escalate'],
    [65, 'dataError', 'escalate'],
    [66, 'noInput', 'escalate'],
    [69, 'unavailable', 'retry_later'],
    [70, 'software', 'escalate'],
    [75, 'tempFail', 'retry_later'],
    [77, 'noPermission', 'escalate'],
    [78, 'config', 'escalate'],
    [130, 'interrupted', 'stop'],
    [143, 'terminated', 'stop'],
  ]);
});

test('every failure has an HTTP status and an exit code', () => {
  const rows = keysOf(failureTable).map((code) => [
    code,
    failureTable[code].status,
    exitCodeOf(new Failure(code, 'why')),
  ]);

  expect(rows).toEqual([
    ['usage', 400, 64],
    ['invalid', 422, 65],
    ['missing_file', 404, 66],
    ['not_found', 404, 66],
    ['unauthorized', 401, 77],
    ['forbidden', 403, 77],
    ['forbidden_origin', 403, 77],
    ['no_permission', 403, 77],
    ['prompt_settled', 409, 65],
    ['prompt_ambiguous', 409, 65],
    ['not_deliverable', 409, 75],
    ['unsupported_by_runtime', 422, 65],
    ['conflict', 409, 65],
    ['too_large', 413, 65],
    ['setup_failed', 500, 1],
    ['unavailable', 503, 69],
    ['repository_unreachable', 503, 69],
    ['not_installed', 503, 69],
    ['not_ready', 503, 69],
    ['home_busy', 503, 75],
    ['config', 500, 78],
    ['internal', 500, 70],
  ]);
});

test.each([new Error('x'), 'x', null, undefined])('%j is a bug of ours', (thrown) => {
  expect(exitCodeOf(thrown)).toBe(70);
});

test('a failure keeps its code, its sentence and its cause', () => {
  const cause = new Error('inner');
  const failure = new Failure('config', 'The file is wrong.', { cause });

  expect({ name: failure.name, code: failure.code, message: failure.message, cause: failure.cause }).toEqual({
    name: 'Failure',
    code: 'config',
    message: 'The file is wrong.',
    cause,
  });
});
