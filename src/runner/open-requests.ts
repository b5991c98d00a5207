import type { Command } from '../protocol/command.js';
import { cutText } from '../protocol/cut-text.js';
import type { EventBody } from '../protocol/event.js';
import { answerParts, unfitness } from '../protocol/expected-answer.js';
import { given } from '../protocol/given.js';
import type { Question } from '../protocol/question.js';
import {
  type AskKind,
  type Asks,
  RequestWithdrawn,
  type Runtime,
  type Unanswered,
} from '../runtimes/runtime.js';
import { whyNotAsked } from './asking-limits.js';
import type { ToldCalls } from './told-calls.js';

export type ResponseCommand = Command<
  'user_question_response' | 'plan_approval_response' | 'permission_response'
>;

type RequestEvent = EventBody<
  'user_question_request' | 'plan_approval_request' | 'permission_request' | 'request_withdrawn'
>;

interface OpenRequest {
  readonly kind: AskKind;
  readonly toolUseId: string;
  readonly agentId: string | undefined;
  /** The runtime can let go of the call and take it up again in a later life of its session. */
  readonly canBeDeferred: boolean;
  readonly questions: readonly Question[];
  settle(reply: Asks[AskKind]['reply'] | Unanswered): void;
}

/** The questions, plans and permissions that wait for a person; each is settled exactly once. */
export class OpenRequests {
  readonly #newId: () => string;
  readonly #emit: (event: RequestEvent) => void;
  readonly #deadlineMs: number | null;
  readonly #runtime: Pick<Runtime, 'name' | 'capabilities'>;
  readonly #told: ToldCalls;
  readonly #open = new Map<string, OpenRequest>();
  #closed: string | null = null;

  constructor(options: {
    readonly newId: () => string;
    readonly emit: (event: RequestEvent) => void;
    readonly deadlineMs: number | null;
    readonly runtime: Pick<Runtime, 'name' | 'capabilities'>;
    readonly told: ToldCalls;
  }) {
    this.#told = options.told;
    this.#runtime = options.runtime;
    this.#deadlineMs = options.deadlineMs;
    this.#newId = options.newId;
    this.#emit = options.emit;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Asks, and waits until the deadline if there is one; a signal withdraws the request. */
  async ask<Kind extends AskKind>(
    kind: Kind,
    request: Asks[Kind]['request'],
    signal: AbortSignal,
  ): Promise<Asks[Kind]['reply'] | Unanswered> {
    if (this.#closed !== null) return { answered: false, why: this.#closed };
    if (signal.aborted || this.#told.isTurnEnding) return { answered: false, why: 'The turn was cancelled.' };
    const tooMuch = whyNotAsked(kind, request);
    if (tooMuch !== null) return { answered: false, why: tooMuch };
    const requestId = this.#newId();
    return await new Promise((resolve) => {
      const settle = (reply: Asks[AskKind]['reply'] | Unanswered) => {
        this.#open.delete(requestId);
        clearTimeout(timer);
        signal.removeEventListener('abort', withdraw);
        resolve(reply);
      };
      const withdraw = () => {
        if (signal.reason instanceof RequestWithdrawn)
          this.#emit({ type: 'request_withdrawn', requestId, reason: signal.reason.reason });
        settle({ answered: false, why: 'The turn was cancelled.' });
      };
      const late = () => settle({ answered: false, why: 'No answer came within 24 hours.' });
      const timer = this.#deadlineMs === null ? undefined : setTimeout(late, this.#deadlineMs);
      signal.addEventListener('abort', withdraw, { once: true });
      const questions = 'questions' in request ? request.questions : [];
      const agentId = 'agentId' in request ? request.agentId : undefined;
      const { toolUseId } = request;
      const canBeDeferred = this.#canDefer(kind, request);
      this.#open.set(requestId, { kind, toolUseId, agentId, canBeDeferred, questions, settle });
      this.#emit(eventOf(kind, requestId, request));
    });
  }

  #canDefer<Kind extends AskKind>(kind: Kind, request: Asks[Kind]['request']): boolean {
    const { defers } = this.#runtime.capabilities;
    const isHeldBefore = 'isHeldBefore' in request && request.isHeldBefore;
    return defers.includes(kind) || (isHeldBefore && defers.length > 0);
  }

  /** The calls that wait. */
  get toolUseIds(): string[] {
    return [...this.#open.values()].map(({ toolUseId }) => toolUseId);
  }

  /** What is open under an id. */
  find(requestId: string): Pick<OpenRequest, 'toolUseId' | 'agentId' | 'canBeDeferred'> | undefined {
    return this.#open.get(requestId);
  }

  /** Lets the agent go of the call; somebody may still answer it in the next life of the session. */
  park(requestId: string): void {
    const why = 'Nobody has answered yet; the answer comes later.';
    this.#open.get(requestId)?.settle({ answered: false, why, parked: true });
  }

  /** Why a response cannot settle the request that it names, or null; nothing changes. */
  problemWith(command: ResponseCommand): string | null {
    const { kind, requestId } = replyOf(command);
    const request = this.#open.get(requestId);
    const { name, capabilities: can } = this.#runtime;
    if (command.type === 'permission_response' && command.updatedInput !== undefined && !can.editedInput)
      return `The runtime ${name} cannot do this: approve with another input.`;
    if (!request) return 'There is no open request with this id; it is unknown or settled already.';
    if (request.kind !== kind)
      return `The request ${requestId} asks for a ${request.kind}, not for a ${kind}.`;
    if (command.type === 'user_question_response') {
      return problemWithAnswers(request.questions, command);
    }
    return null;
  }

  /** Settles the request that a response names, once there is no problem with it. */
  settle(command: ResponseCommand): void {
    const { requestId, reply } = replyOf(command);
    this.#told.add(this.find(requestId)?.toolUseId);
    this.#open.get(requestId)?.settle(reply);
  }

  /** Nobody will answer this any more; false when it is not open. */
  withdraw(
    requestId: string,
    { reason: why, byPerson, endsTurn }: Pick<Command<'withdraw'>, 'reason' | 'byPerson' | 'endsTurn'>,
  ): boolean {
    const request = this.#open.get(requestId);
    this.#told.add(request?.toolUseId, given({ endsTurn }));
    request?.settle({ answered: false, why, ...given({ byPerson }) });
    return request !== undefined;
  }

  /** Nobody will answer what is open now. */
  rejectAll(why: string): void {
    for (const request of this.#open.values()) request.settle({ answered: false, why });
  }

  /** Nobody will answer anything any more. */
  close(why: string): void {
    this.#closed = why;
    this.rejectAll(why);
  }
}

function problemWithAnswers(
  questions: readonly Question[],
  { answers, declined }: Command<'user_question_response'>,
): string | null {
  if (declined) {
    const isOfServer = questions.some(({ server }) => server !== undefined);
    return isOfServer ? null : 'Only what an MCP server asks can be declined.';
  }
  const unknown = Object.keys(answers).find((text) => !questions.some(({ question }) => question === text));
  if (unknown !== undefined) return `The request does not ask ${JSON.stringify(cutText(unknown, 200))}.`;
  if (Object.keys(answers).length === 0) return 'The response answers no question.';
  for (const question of questions) {
    const text = answers[question.question] ?? '';
    const why = unfitness(question, answerParts(question, text));
    if (why !== null) return `${JSON.stringify(cutText(question.question, 200))} ${why}.`;
  }
  return null;
}

/** Whether a command answers a request. */
export function isResponse(command: Command): command is ResponseCommand {
  return (
    command.type === 'user_question_response' ||
    command.type === 'plan_approval_response' ||
    command.type === 'permission_response'
  );
}

/** The id that a response names. */
export function requestIdOf(command: ResponseCommand): string {
  return replyOf(command).requestId;
}

function replyOf(command: ResponseCommand): {
  kind: AskKind;
  requestId: string;
  reply: Asks[AskKind]['reply'];
} {
  switch (command.type) {
    case 'user_question_response':
      return {
        kind: 'question',
        requestId: command.questionRequestId,
        reply: { answered: true, answers: command.answers, ...given({ declined: command.declined }) },
      };
    case 'plan_approval_response':
      return {
        kind: 'plan',
        requestId: command.planApprovalRequestId,
        reply: {
          answered: true,
          approved: command.planApproved,
          ...given({ reason: command.planApprovalReason }),
        },
      };
    case 'permission_response':
      return {
        kind: 'permission',
        requestId: command.permissionRequestId,
        reply: {
          answered: true,
          approved: command.approved,
          scope: command.scope ?? 'once',
          ...given({ updatedInput: command.updatedInput, message: command.message }),
        },
      };
    default:
      return command satisfies never;
  }
}

function eventOf<Kind extends AskKind>(
  kind: Kind,
  requestId: string,
  request: Asks[Kind]['request'],
): RequestEvent {
  const type = (
    {
      question: 'user_question_request',
      plan: 'plan_approval_request',
      permission: 'permission_request',
    } as const
  )[kind];
  const { isHeldBefore: _ours, ...fields }: Asks[Kind]['request'] & { isHeldBefore?: boolean } = request;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the request of a kind has the fields of its event
  return { type, requestId, ...fields } as unknown as RequestEvent;
}
