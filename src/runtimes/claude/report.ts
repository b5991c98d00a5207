// What a worker knows about Claude Code without loading its SDK, which only runners need.
import type { RuntimeReport } from '../../protocol/api.js';
import { stringField } from '../../protocol/string-field.js';
import { claudeCapabilities } from './capabilities.js';

export { checkLaunch } from './command.js';

/** Claude Code as it is installed here. */
export function claudeReport(installed: (name: string) => unknown): RuntimeReport {
  const sdk = '@anthropic-ai/claude-agent-sdk';
  const version = stringField(installed(sdk), 'claudeCodeVersion');
  const binary = [
    `${sdk}-${process.platform}-${process.arch}`,
    `${sdk}-${process.platform}-${process.arch}-musl`,
  ];
  return {
    name: 'claude',
    found: binary.some((name) => installed(name) !== null),
    ...(version === undefined ? {} : { version }),
    capabilities: { ...claudeCapabilities },
  };
}
