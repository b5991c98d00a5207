/** Ends a hang and limits no speed: of a test, and of what comes before and after it, whatever the project's own settings say. */
export const hangLimitMs = 15 * 60 * 1000;
