/** The tool of the action by which a file with scripts is put to a person; it is the name that the agent called. */
export const scriptsProposalTool = 'propose_scripts_config';

/** Said with every proposal, because a person who saves a file may think that they let its scripts run. */
export const savingStartsNothing =
  'Saving it starts nothing. Its scripts run in new worktrees only after "handraise config trust" approves them.';
