export type { Conversation, Entry, OfferedTool, ToolResult } from './conversation.js';
export type { Decision } from './director.js';
export type { RecordedRequest } from './recorded-request.js';
export { Block, Fault, Reply, StopReason } from './reply.js';
export {
  type RuntimeEnvironment,
  runtimeEnvironment,
  type SteeredRuntime,
  steeredRuntimes,
  writeRuntimeFiles,
} from './runtime-environment.js';
export { Condition, parseScript, Script, type ScriptInput, scriptJsonSchema } from './script.js';
export { readScriptFile } from './script-file.js';
export { type Simulator, type SimulatorOptions, startSimulator } from './simulator.js';
