/**
 * What a route asks of whoever comes.
 *
 * - `open`: nothing, not even a token.
 * - `read`, `dispatch`, `answer`, `admin`: this scope.
 * - `approve`: this scope, and a label that the token approves, where it is limited to labels.
 * - `approve everything`: this scope without a limit, because what is decided holds in every thread.
 * - `work`: dispatch; without `approve everything` only work about which a person is asked.
 * - `unasked work`: dispatch and `approve everything`, because what is given may act without asking.
 * - `prompt`: answer or approve, whichever the prompt asks for; `equal prompts` may be in threads of every label.
 * - `own device`: read, for a device that the caller has signed in.
 * - `item`: dispatch for a message, the same as `prompt` for an answer.
 */
export type RouteNeed =
  | 'open'
  | 'read'
  | 'dispatch'
  | 'answer'
  | 'approve'
  | 'admin'
  | 'approve everything'
  | 'work'
  | 'unasked work'
  | 'prompt'
  | 'equal prompts'
  | 'item'
  | 'own device';

/** By the name of the operation in the OpenAPI document; what is not named here is for full tokens alone. */
export const routeScopes: Readonly<Partial<Record<string, RouteNeed>>> = {
  getHealth: 'open',
  getReadiness: 'open',
  getProof: 'open',
  getOpenapi: 'open',
  login: 'open',

  // Oneself.
  getIdentity: 'read',
  getConsoleSettings: 'read',
  createLoginLink: 'read',
  logout: 'read',
  getPush: 'read',
  addPushDevice: 'read',
  removePushDevice: 'own device',

  getMetrics: 'read',
  getUsage: 'read',
  listWorkers: 'read',
  listRuntimes: 'read',
  listStatuses: 'read',
  followOverview: 'read',
  listObserved: 'read',
  listDispatches: 'read',
  getDispatch: 'read',
  listThreads: 'read',
  getThread: 'read',
  listItems: 'read',
  listEvents: 'read',
  getToolOutput: 'read',
  getStatusLog: 'read',
  getDiff: 'read',
  getChanges: 'read',
  getChangedFileLines: 'read',
  listAgentModels: 'read',
  listAgentCommands: 'read',
  listAgentServers: 'read',
  getAgentAccount: 'read',
  listLandings: 'read',
  listComments: 'read',
  listGrants: 'read',
  listPrompts: 'read',
  getPrompt: 'read',
  listPrecedents: 'read',
  listSchedules: 'read',
  getSchedule: 'read',
  listScheduleRuns: 'read',
  listPipelines: 'read',
  getPipeline: 'read',
  listRules: 'read',
  getRule: 'read',

  submitDispatch: 'work',
  retryDispatch: 'work',
  editDispatch: 'work',
  sendComments: 'work',
  cancelDispatch: 'dispatch',
  editThread: 'dispatch',
  snoozeThread: 'dispatch',
  archiveThread: 'dispatch',
  interruptThread: 'dispatch',
  stopThread: 'dispatch',
  setModel: 'dispatch',
  setThinkingBudget: 'dispatch',
  rewindThread: 'dispatch',
  addComment: 'dispatch',
  editComment: 'dispatch',
  removeComment: 'dispatch',
  // What runs then was given by somebody who could approve it.
  runSchedule: 'dispatch',
  pauseSchedule: 'dispatch',
  resumeSchedule: 'dispatch',
  removeSchedule: 'dispatch',
  cancelPipeline: 'dispatch',
  reportObserved: 'dispatch',
  forgetObserved: 'dispatch',
  postItem: 'item',

  // A thread with a posture of one's choice, work without a person, a terminal with the agent in it.
  createThread: 'unasked work',
  createSchedule: 'unasked work',
  runPipeline: 'unasked work',
  openTerminal: 'unasked work',
  beginTerminal: 'unasked work',
  closeTerminal: 'unasked work',
  // Sessions of the machine's user, with everything that was said in them.
  listSessions: 'unasked work',
  adoptSession: 'unasked work',

  answerPrompt: 'prompt',
  cancelPrompt: 'prompt',
  undoAnswer: 'prompt',
  answerLikePrompts: 'equal prompts',

  setPermissionMode: 'approve',
  withdrawGrant: 'approve',
  mergeThread: 'approve',
  applyThread: 'approve',
  openPullRequest: 'approve',
  pushThread: 'approve',
  watchPullRequest: 'approve',
  unwatchPullRequest: 'approve',
  discardThread: 'approve',
  removeWorktree: 'approve',
  // Files of any folder, and what is trusted for all work in it.
  inspectProjectCode: 'approve everything',
  approveProjectCode: 'approve everything',
  createRule: 'approve everything',
  switchRuleOn: 'approve everything',
  withdrawRule: 'approve everything',

  removeThread: 'admin',
  pruneThreads: 'admin',
  backUpStore: 'admin',
  importThread: 'admin',
  drainWorker: 'admin',
  shutdown: 'admin',
};
