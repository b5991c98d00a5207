import { given } from '../protocol/given.js';
import type { Posture } from '../protocol/posture.js';
import type { LaunchContainer } from './launch-container.js';
import type { CheckedLaunch } from './runtime.js';
import type { Wanted } from './supported.js';

/** What of a posture can be checked before its agent is started. */
export function checkedLaunch(
  posture: Posture,
  env: Readonly<Record<string, string>>,
  container?: LaunchContainer,
): CheckedLaunch & Wanted {
  const {
    command,
    model,
    fallbackModel,
    structuredOutput,
    maxTurns,
    maxThinkingTokens,
    observableIdleSeconds,
  } = posture;
  return {
    permissionMode: posture.permissionMode ?? 'default',
    toolPreset: posture.toolPreset ?? 'full',
    env: { ...env, ...posture.env, ...(container && { IS_SANDBOX: '1' }) },
    fork: false,
    betas: posture.betas ?? [],
    mcpServers: posture.mcpServers ?? {},
    checkpointing: posture.checkpointing ?? false,
    readsExitCodes: posture.exitCodes ?? false,
    limits: {
      ...given({ maxTurns, maxThinkingTokens }),
    },
    ...given({ command, model, fallbackModel, structuredOutput, container, observableIdleSeconds }),
  };
}
