import { ExitCode } from '../protocol/exit-code.js';
import { exitCodeOf } from '../protocol/failure.js';

const mayWork: readonly number[] = [ExitCode.failure, ExitCode.unavailable, ExitCode.tempFail];

/** A skill that failed, as JSON-RPC has it: the meaning of its exit code is kept. */
export class SkillFailure extends Error {
  override readonly name = 'SkillFailure';
  readonly code = -32_000;
  readonly data: {
    readonly skill: string;
    readonly exit_code: number;
    readonly retriable: boolean;
    readonly detail: string;
  };

  constructor(
    skill: string,
    how: { readonly exitCode: number; readonly retriable: boolean; readonly detail: string },
  ) {
    super('Skill execution failed');
    this.data = { skill, exit_code: how.exitCode, retriable: how.retriable, detail: how.detail };
  }

  /** Of one whose exit code alone says whether another try may work. */
  static ended(
    skill: string,
    { exitCode, detail }: { readonly exitCode: number; readonly detail: string },
  ): SkillFailure {
    return new SkillFailure(skill, { exitCode, retriable: mayWork.includes(exitCode), detail });
  }

  /** Of a skill that was not even started. */
  static refused(skill: string, error: unknown): SkillFailure {
    const exitCode = exitCodeOf(error);
    const detail = error instanceof Error ? error.message : String(error);
    return SkillFailure.ended(skill, { exitCode, detail });
  }
}
