import type { Command, CommandType } from '../../src/protocol/index.js';

/** One full body of every command, with each optional field given. */
export const commandSamples: { readonly [Type in CommandType]: Command<Type> } = {
  message: {
    type: 'message',
    commandId: 'cmd_1',
    content: 'Look at these.',
    attachments: [
      { type: 'image', mediaType: 'image/png', data: 'aGk=', name: 'a.png' },
      { type: 'file', path: 'notes.md', content: '# Notes', name: 'notes' },
    ],
    uuid: '0f9d3f3e-6d1c-4c52-8a53-2f6f5a0d8f11',
  },
  stop: { type: 'stop' },
  interrupt: { type: 'interrupt' },
  set_model: { type: 'set_model', model: 'claude-haiku-5-5' },
  set_permission_mode: { type: 'set_permission_mode', permissionMode: 'acceptEdits' },
  set_max_thinking_tokens: { type: 'set_max_thinking_tokens', maxThinkingTokens: 0 },
  get_supported_models: { type: 'get_supported_models' },
  get_supported_commands: { type: 'get_supported_commands' },
  get_mcp_status: { type: 'get_mcp_status' },
  get_account_info: { type: 'get_account_info' },
  rewind_files: { type: 'rewind_files', checkpointUuid: 'c1' },
  user_question_response: {
    type: 'user_question_response',
    questionRequestId: 'req_1',
    answers: { 'Which colour?': 'Red, Blue' },
  },
  plan_approval_response: {
    type: 'plan_approval_response',
    planApprovalRequestId: 'req_1',
    planApproved: false,
    planApprovalReason: 'too risky',
  },
  permission_response: {
    type: 'permission_response',
    permissionRequestId: 'req_1',
    approved: true,
    scope: 'thread',
    updatedInput: { command: 'make test' },
    message: 'only the tests',
  },
  park: { type: 'park', requestId: 'req_1' },
  withdraw: { type: 'withdraw', requestId: 'req_1', reason: 'nobody answered in time.' },
  reconnect_mcp_server: { type: 'reconnect_mcp_server', serverName: 'docs' },
  toggle_mcp_server: { type: 'toggle_mcp_server', serverName: 'docs', serverEnabled: false },
};
