/** Tools that do nothing but ask a person; what they asked and what was answered stands in the thread as a prompt. */
const promptTools = new Set(['AskUserQuestion', 'ExitPlanMode', 'needs_input']);

export function isPromptTool(tool: string): boolean {
  return promptTools.has(tool);
}
