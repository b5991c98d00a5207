/** What a service manager starts: the worker of one home. */
export interface WorkerService {
  /** As the service manager knows it. */
  readonly name: string;
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variables that the user adds, one `NAME=value` a line; it need not be there. */
  readonly envFile: string;
}
