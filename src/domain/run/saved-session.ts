/** What of a session outlived its process; the next life of the session knows this and no more. */
export interface SavedSession {
  /** Whether it holds what came of a tool call. */
  hasResult(toolUseId: string): boolean;
  /** Whether that result says no more than that the call was cut off; left out where such a call has none. */
  isCutOff?(toolUseId: string): boolean;
  /** Whether it holds these words of the person who refused a call; left out where the result itself says them. */
  hasWords?(toolUseId: string, words: string): boolean;
  /** Whether it holds that nobody answered; left out where the result itself says it. */
  hasSilence?(toolUseId: string): boolean;
  /** Whether it holds a message that was given to that run. */
  hasMessage(uuid: string): boolean;
}
