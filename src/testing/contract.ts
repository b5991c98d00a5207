import { describe } from 'vitest';
import { conversationContract } from './conversation.js';
import { endingContract } from './ending.js';
import { hangLimitMs } from './hang-limit.js';
import { promptContract } from './prompts.js';
import { refusalContract } from './refusals.js';
import type { RuntimeRig } from './rig.js';

/** What every runtime does behind a runner, as far as its declared capabilities go. */
export function runtimeContract(rig: RuntimeRig): void {
  describe(`the runtime ${rig.runtime.name}`, { timeout: hangLimitMs }, () => {
    conversationContract(rig);
    promptContract(rig);
    endingContract(rig);
    refusalContract(rig);
  });
}
