/** An expected "no", whose message is a sentence for whoever asked. */
export class RefusalError extends Error {
  override readonly name = 'Refusal';
}
