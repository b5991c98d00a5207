/** An expected "no", whose message is a sentence for whoever asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
