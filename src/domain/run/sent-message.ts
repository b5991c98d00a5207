/** A message that an agent was to be told, as its thread holds it. */
export interface SentMessage {
  readonly uuid: string;
  readonly text: string;
}
