import type { Answer } from '../../protocol/prompt.js';

/** What a person said to a prompt: an answer, that they decide later, that they want to leave, or nothing because it was called off. */
export type PersonReply =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'put_off' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'called_off' };
