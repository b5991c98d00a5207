import { beforeEach, describe, expect, test, vi } from 'vitest';
import { OpenRequests } from '../../src/runner/open-requests.js';
import { ToldCalls } from '../../src/runner/told-calls.js';
import { claudeProfile } from '../../src/runtimes/claude/profile.js';
import { turnEnded } from './turn-ended.js';

let emitted: unknown[];
let requests: OpenRequests;
let told: ToldCalls;
const signal = () => new AbortController().signal;
const question = { questions: [{ question: 'Which?', multiSelect: false, options: [] }], toolUseId: 'tool' };

beforeEach(() => {
  emitted = [];
  let count = 0;
  told = new ToldCalls();
  requests = new OpenRequests({
    told,
    newId: () => `req_${++count}`,
    emit: (event) => emitted.push(event),
    deadlineMs: 24 * 60 * 60 * 1000,
    runtime: claudeProfile,
  });
});

describe('a request', () => {
  test('is announced, and settled once by the response that names it', async () => {
    const asked = requests.ask('question', question, signal());
    expect(emitted).toEqual([{ type: 'user_question_request', requestId: 'req_1', ...question }]);
    const response = {
      type: 'user_question_response',
      questionRequestId: 'req_1',
      answers: { 'Which?': 'A' },
    } as const;
    expect(requests.problemWith(response)).toBeNull();
    requests.settle(response);
    expect(await asked).toEqual({ answered: true, answers: { 'Which?': 'A' } });
    expect(requests.problemWith(response)).toBe(
      'There is no open request with this id; it is unknown or settled already.',
    );
  });

  test('of a turn that is about to end is announced to nobody', async () => {
    told.take({ type: 'tool_start', id: 'tool', tool: 'AskUserQuestion', params: {} });
    const asked = requests.ask('question', question, signal());
    requests.withdraw('req_1', { reason: 'Over.', endsTurn: true });
    expect(await asked).toEqual({ answered: false, why: 'Over.' });
    const cancelled = { answered: false, why: 'The turn was cancelled.' };
    expect(await requests.ask('question', question, signal())).toEqual(cancelled);
    expect(emitted.length).toBe(1);
    told.take(turnEnded);
    void requests.ask('question', question, signal());
    expect(emitted.length).toBe(2);
  });

  test('stays open when a response does not fit it', async () => {
    const asked = requests.ask('question', question, signal());
    const wrong = { type: 'user_question_response', questionRequestId: 'req_1' } as const;
    expect(requests.problemWith({ ...wrong, answers: { 'Who?': 'A' } })).toBe(
      'The request does not ask "Who?".',
    );
    expect(requests.problemWith({ ...wrong, answers: {} })).toBe('The response answers no question.');
    expect(
      requests.problemWith({ type: 'permission_response', permissionRequestId: 'req_1', approved: true }),
    ).toBe('The request req_1 asks for a question, not for a permission.');
    expect(requests.size).toBe(1);
    requests.rejectAll('Over.');
    expect(await asked).toEqual({ answered: false, why: 'Over.' });
  });

  test('carries a plan or a permission with all that was decided', async () => {
    const plan = requests.ask('plan', { planContent: '# Plan', toolUseId: 'a' }, signal());
    const permission = requests.ask(
      'permission',
      { tool: 'Bash', input: { command: 'ls' }, toolUseId: 'b' },
      signal(),
    );
    requests.settle({
      type: 'plan_approval_response',
      planApprovalRequestId: 'req_1',
      planApproved: false,
      planApprovalReason: 'too long',
    });
    requests.settle({
      type: 'permission_response',
      permissionRequestId: 'req_2',
      approved: true,
      scope: 'thread',
      updatedInput: { command: 'ls -l' },
    });
    expect(await Promise.all([plan, permission])).toEqual([
      { answered: true, approved: false, reason: 'too long' },
      { answered: true, approved: true, scope: 'thread', updatedInput: { command: 'ls -l' } },
    ]);
  });

  test('is withdrawn by its signal, refused when nobody is there, and ends after a day', async () => {
    const turn = new AbortController();
    const withdrawn = requests.ask('question', question, turn.signal);
    turn.abort();
    expect(await withdrawn).toEqual({ answered: false, why: 'The turn was cancelled.' });

    vi.useFakeTimers();
    const late = requests.ask('question', question, signal());
    vi.advanceTimersByTime(24 * 60 * 60 * 1000 - 1);
    expect(requests.size).toBe(1);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    expect(await late).toEqual({ answered: false, why: 'No answer came within 24 hours.' });

    requests.close('Nobody is there.');
    expect(await requests.ask('question', question, signal())).toEqual({
      answered: false,
      why: 'Nobody is there.',
    });
    expect(emitted).toHaveLength(2);
  });
});
