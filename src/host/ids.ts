import type {
  DispatchId,
  PipelineId,
  PromptId,
  RuleId,
  RunId,
  ScheduleId,
  ThreadId,
} from '../protocol/id.js';

/** Makes ids that nobody else has. */
export interface Ids {
  thread(): ThreadId;
  dispatch(): DispatchId;
  run(): RunId;
  prompt(): PromptId;
  schedule(): ScheduleId;
  pipeline(): PipelineId;
  rule(): RuleId;
  uuid(): string;
}
