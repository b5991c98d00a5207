// Loaded by `opencode acp` as a plugin. It asks for the password of its server at every call, so that it cannot forget it
// as `opencode serve` does; but no command of the agent gets it.
export const HideOpencodePassword = async (): Promise<object> => ({
  'shell.env': async (_call: unknown, { env }: { readonly env: Record<string, string> }) => {
    env['OPENCODE_SERVER_PASSWORD'] = '';
  },
});
