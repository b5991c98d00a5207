export type { ConversationEntry, ModelConversation, OfferedTool, ToolResult } from './conversation.js';
export type { DirectorDecision } from './director.js';
export type { RecordedRequest } from './recorded-request.js';
export { Fault, Reply, ReplyBlock, StopReason } from './reply.js';
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
export { tour } from './tour.js';
