/** How the shortest host that the SDK allows starts Claude: with everything that ours starts it with, and nothing asked. */
export const bareOptions = {
  permissionMode: 'bypassPermissions',
  allowDangerouslySkipPermissions: true,
  includePartialMessages: true,
  systemPrompt: { type: 'preset', preset: 'claude_code' },
  tools: { type: 'preset', preset: 'claude_code' },
  env: process.env,
};
