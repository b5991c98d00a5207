// Loaded by OpenCode as a plugin. Commands inherit its environment (measured), and with the password of the server in
// it a command could approve the next one by itself. The server has read it by now.
// oxlint-disable-next-line eslint/no-restricted-properties -- this is OpenCode's process, and its environment is the subject
delete process.env['OPENCODE_SERVER_PASSWORD'];

export const ForgetPassword = async (): Promise<object> => ({});
