import { type GrantedAction, grantText } from '../domain/prompts/thread-grant.js';

/** Approvals for the rest of this runner's life; a worker keeps those of its threads itself. */
export class ThreadGrants {
  readonly #granted = new Set<string>();

  allows(action: GrantedAction): boolean {
    return this.#granted.has(grantText(action));
  }

  grant(action: GrantedAction): void {
    this.#granted.add(grantText(action));
  }
}
