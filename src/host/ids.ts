import type { DispatchId, PromptId, RunId, ScheduleId, ThreadId } from '../protocol/id.js';

/** Makes ids that nobody else has. */
export interface Ids {
  thread(): ThreadId;
  dispatch(): DispatchId;
  run(): RunId;
  prompt(): PromptId;
  schedule(): ScheduleId;
  uuid(): string;
}
