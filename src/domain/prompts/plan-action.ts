/** The tool of the action by which a plan is put to a person; its input has the plan. */
export const planTool = 'plan';
