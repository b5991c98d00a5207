/** Said of an answer that was accepted for work which ended before its agent got it. */
export const workWasOver = 'The work ended before the agent got this answer.';

/** Said of a secret that an agent was to ask for once more. */
export const notAskedAgain =
  'The agent went on without asking for this again, so the secret was not given to it. Send it a message to make it ask.';
