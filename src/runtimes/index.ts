// The package entry `handraise/runtime`: what an adapter in a package of its own is written with.

export { readLines } from '../process/children/read-lines.js';
export { isSentinelThere } from '../process/files/sentinel-file.js';
export { Failure } from '../protocol/failure.js';
export { needsInputPath } from '../protocol/needs-input.js';
export { AgentProcess } from './agent-process.js';
export { JsonRpc } from './json-rpc.js';
export type {
  AskKind,
  Asks,
  ControlCommand,
  Launch,
  OutsideAdapter,
  RuntimeExit,
  RuntimeFact,
  RuntimeHost,
  RuntimeSession,
  TurnEnded,
  TurnInput,
  Unanswered,
} from './runtime.js';
