import { expect, test } from 'vitest';
import { SkillFailure } from '../../src/mcp/skill-failure.js';
import { ExitCode } from '../../src/protocol/exit-code.js';
import { Failure } from '../../src/protocol/failure.js';

test('an exit code says whether another try may work, as its table does', () => {
  const retriable = Object.values(ExitCode).filter(
    (exitCode) => SkillFailure.ended('audit', { exitCode, detail: '' }).data.retriable,
  );
  expect(retriable).toEqual([ExitCode.failure, ExitCode.unavailable, ExitCode.tempFail]);
});

test('one that was not started says why', () => {
  expect(SkillFailure.refused('audit', new Failure('missing_file', 'There is no skill audit.')).data).toEqual(
    {
      skill: 'audit',
      exit_code: 66,
      retriable: false,
      detail: 'There is no skill audit.',
    },
  );
});
