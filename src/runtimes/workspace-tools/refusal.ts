/** An expected "no", whose message is a sentence for the agent that called the tool. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
