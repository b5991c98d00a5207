// What a worker knows about Claude Code without loading its SDK, which only runners need.
import { stringField } from '../../protocol/string-field.js';
import type { RuntimeProfile } from '../runtime.js';
import { claudeCapabilities } from './capabilities.js';
import { checkLaunch } from './command.js';
import { readSavedSession } from './saved-session.js';

/** Claude Code as it is installed here. */
export const claudeProfile: RuntimeProfile = {
  name: 'claude',
  capabilities: claudeCapabilities,
  check: checkLaunch,
  installed: ({ manifestOf }) => {
    const sdk = '@anthropic-ai/claude-agent-sdk';
    const version = stringField(manifestOf(sdk), 'claudeCodeVersion');
    const binary = [
      `${sdk}-${process.platform}-${process.arch}`,
      `${sdk}-${process.platform}-${process.arch}-musl`,
    ];
    return {
      found: binary.some((name) => manifestOf(name) !== null),
      ...(version === undefined ? {} : { version }),
    };
  },
  savedSession: readSavedSession,
};
