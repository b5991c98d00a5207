import type { PermissionUpdate } from '@anthropic-ai/claude-agent-sdk/core';
import { isRecord } from './wire.js';

/** Approvals for the rest of the thread: the same tool and pattern, never more than was shown. */
export class ThreadGrants {
  readonly #granted = new Set<string>();

  allows(tool: string, input: Record<string, unknown>): boolean {
    return this.#granted.has(keyOf(tool, input));
  }

  /**
   * Remembers an approval and gives the rules that the runtime itself proposed for it, kept in the session:
   * a rule written to the project's settings would outlive the thread, and a mode change would be wider.
   */
  grant(tool: string, input: Record<string, unknown>, suggestions: readonly unknown[]): PermissionUpdate[] {
    this.#granted.add(keyOf(tool, input));
    return suggestions.flatMap((suggestion) =>
      isRecord(suggestion) && suggestion['type'] === 'addRules' && suggestion['behavior'] === 'allow'
        ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the runtime's own proposal goes back to it
          [{ ...suggestion, destination: 'session' } as PermissionUpdate]
        : [],
    );
  }
}

function keyOf(tool: string, input: Record<string, unknown>): string {
  const path = input['file_path'] ?? input['notebook_path'];
  return JSON.stringify([tool, typeof path === 'string' ? path : input]);
}
