import type { TokenIdentity } from '../protocol/api.js';
import type { Scope } from '../protocol/scope.js';
import type { Tool } from './tool.js';
import { answerTool } from './tools/answer.js';
import { agentDispatchTool, dispatchTool } from './tools/dispatch.js';
import { diffTool, listTool, statusTool, waitTool } from './tools/look.js';
import { pipelineTool, runPipelineTool } from './tools/pipeline.js';
import { runSkillTool } from './tools/run-skill.js';

/** What a person's token may use. */
export const personTools: readonly Tool[] = [
  dispatchTool,
  listTool,
  statusTool,
  waitTool,
  answerTool,
  diffTool,
  runSkillTool,
  runPipelineTool,
  pipelineTool,
];

/** What a token of scope agent may use; what is not named here does not exist for it. */
export const agentTools: readonly Tool[] = [agentDispatchTool, listTool, statusTool, waitTool, diffTool];

/** The tools that exist for whoever holds a token. */
export function toolsFor({ scope, may }: TokenIdentity): readonly Tool[] {
  if (scope === 'agent') return agentTools;
  return personTools.filter((tool) => (needs.get(tool) ?? []).some((each) => may.includes(each)));
}

/** With which scopes a tool is of use, any of them; the API decides about each call. */
const needs = new Map<Tool, readonly Scope[]>([
  [dispatchTool, ['dispatch']],
  [listTool, ['read']],
  [statusTool, ['read']],
  [waitTool, ['read']],
  [answerTool, ['answer', 'approve']],
  [diffTool, ['read']],
  [runSkillTool, ['dispatch']],
  [runPipelineTool, ['dispatch']],
  [pipelineTool, ['read']],
]);
