/** Why a child could not be started; `spawn_failed` is what the system refused: no process, no file, no memory. */
export type SpawnErrorCode = 'command_not_found' | 'command_not_executable' | 'bad_cwd' | 'spawn_failed';

/** A child that never ran. */
export class SpawnError extends Error {
  override readonly name = 'SpawnError';
  readonly code: SpawnErrorCode;

  constructor(code: SpawnErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
