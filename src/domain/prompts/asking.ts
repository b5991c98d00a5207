import type { EventBody } from '../../protocol/event.js';
import { given } from '../../protocol/given.js';
import type { PromptAction, PromptKind } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';
import { canonicalJson } from './fingerprint.js';
import { planTool } from './plan-action.js';
import { savingStartsNothing, scriptsProposalTool } from './scripts-proposal.js';

/** What an agent asks, before it is known whether somebody was asked the same already. */
export interface Asking {
  readonly kind: PromptKind;
  readonly questions: readonly Question[];
  readonly action?: PromptAction;
  readonly requestId?: string;
  readonly toolUseId?: string;
  /** Until when whoever asks is expected to wait. */
  readonly waitsUntil?: string;
  /** No policy may decide it. */
  readonly onlyPerson?: boolean;
  /** What the agent left to be given back with the answer. */
  readonly carry?: unknown;
}

/** What turns an event into a question. */
export interface AskingContext {
  readonly cwd: string;
  readonly sha256: (text: string) => string;
}

/** What an event asks, or null when it asks nothing. */
export function askedBy(event: EventBody, context: AskingContext): Asking | null {
  switch (event.type) {
    case 'user_question_request':
      return { ...requestOf(event), kind: kindOf(event.questions), questions: event.questions.map(ofAgent) };
    case 'plan_approval_request': {
      const action = { tool: planTool, input: { plan: event.planContent } };
      return { ...requestOf(event), ...approvalOf('Approve this plan?', action, context) };
    }
    case 'permission_request': {
      const { tool, input, reason, server, serverTool } = event;
      const question = permissionQuestion(event);
      const asked = approvalOf(question, { tool, input, ...given({ reason }) }, context);
      const questions = asked.questions.map((each) => ({ ...each, ...given({ server, tool: serverTool }) }));
      return { ...requestOf(event), ...asked, questions, ...given({ onlyPerson: event.onlyPerson }) };
    }
    case 'needs_input':
      return event.question === undefined ? null : questionInFile(event, event.question);
    default:
      return null;
  }
}

function requestOf({
  requestId,
  toolUseId,
  waitsUntil,
}: {
  readonly requestId: string;
  readonly toolUseId?: string | undefined;
  readonly waitsUntil?: string | undefined;
}) {
  return { requestId, ...given({ toolUseId, waitsUntil }) };
}

function permissionQuestion({ tool, input, server }: EventBody<'permission_request'>): string {
  if (server !== undefined)
    return `The MCP server ${server} asks you to open a page in your browser. Approve once you have done so.`;
  const file = input['file_path'];
  if (tool === scriptsProposalTool && typeof file === 'string')
    return `Save the scripts that the agent proposes as ${file}? ${savingStartsNothing}`;
  return `May the agent use ${tool}?`;
}

/** Nothing that a runner sends is asked by us. */
function ofAgent({ byWorker: _not, ...question }: Question): Question {
  return question;
}

function kindOf(questions: readonly Question[]): PromptKind {
  return questions.length === 1 && questions[0]?.options.length === 0 ? 'text' : 'ask_user_question';
}

/** An approval is bound to the exact action, in the folder where it would happen. */
function approvalOf(
  question: string,
  action: Omit<PromptAction, 'digest'>,
  context: AskingContext,
): Pick<Asking, 'kind' | 'questions'> & { readonly action: PromptAction } {
  return {
    kind: 'approval',
    questions: [{ question, multiSelect: false, options: [{ label: 'Approve' }, { label: 'Deny' }] }],
    action: { ...action, digest: actionDigest(action, context) },
  };
}

/** What an approval is bound to. */
export function actionDigest(
  { tool, input }: Pick<PromptAction, 'tool' | 'input'>,
  { cwd, sha256 }: AskingContext,
): string {
  return sha256(canonicalJson({ tool, input, cwd }));
}

function questionInFile(event: EventBody<'needs_input'>, question: string): Asking {
  const options = (event.options ?? []).map((label) => ({ label }));
  return {
    kind: options.length === 0 ? 'text' : 'ask_user_question',
    questions: [{ question, multiSelect: false, ...given({ context: event.context }), options }],
    carry: { question, ...(event.partialState === undefined ? {} : { partial_state: event.partialState }) },
  };
}
