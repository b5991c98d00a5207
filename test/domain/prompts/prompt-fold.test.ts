import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PromptChange } from '../../../src/domain/prompts/prompt-change.js';
import { PromptFold } from '../../../src/domain/prompts/prompt-fold.js';
import type { PromptThread } from '../../../src/domain/prompts/prompt-thread.js';
import { secretCommandId } from '../../../src/domain/prompts/secret-receipt.js';
import { grantText } from '../../../src/domain/prompts/thread-grant.js';
import { isOpen, type ThreadPrompt } from '../../../src/domain/prompts/thread-prompt.js';
import type { EventBody } from '../../../src/protocol/event.js';
import {
  accepted,
  answerUuid,
  askAgainUuid,
  at,
  delivered,
  prompt,
  promptId,
  result,
  runId,
  threadId,
} from '../samples.js';

const thread = (fields: Partial<PromptThread> = {}): PromptThread => ({
  threadId,
  cwd: '/w',
  seenAs: '/w',
  permissions: 'approval',
  launchMode: undefined,
  mode: undefined,
  unanswered: undefined,
  grants: [],
  waitingCall: { state: 'none' },
  prompts: [],
  answerUuid,
  askAgainUuid,
  ...fields,
});

/** What a fold does with events, one a second from 100 on; new prompts are numbered from 101. */
function fold(fields: Partial<PromptThread>, ...events: readonly (EventBody | [number, EventBody])[]) {
  const prompts = new PromptFold(thread(fields));
  let opened = 100;
  const rules = { newId: () => promptId(++opened), sha256: (text: string) => `#${text}`, unanswered: {} };
  for (const [index, event] of events.entries()) {
    const [run, body] = Array.isArray(event) ? event : [1, event];
    prompts.apply(runId(run), body, { at: at(100 + index), rules });
  }
  return prompts;
}

const done = ({ changes }: PromptFold) => changes.map((change) => change.do);
const shown = ({ events }: PromptFold) =>
  events.map((event) => ('promptId' in event ? [event.type, event.promptId] : []));

const question = (name: string): EventBody<'user_question_request'> => ({
  type: 'user_question_request',
  requestId: `req_${name}`,
  toolUseId: `toolu_${name}`,
  questions: [{ question: `${name}?`, multiSelect: false, options: [] }],
});
const permission = (command: string): EventBody<'permission_request'> => ({
  type: 'permission_request',
  requestId: `req_${command}`,
  toolUseId: `toolu_${command}`,
  tool: 'Bash',
  input: { command },
});
const plan: EventBody<'plan_approval_request'> = {
  type: 'plan_approval_request',
  requestId: 'req_plan',
  toolUseId: 'toolu_plan',
  planContent: '1. Look',
};

/** What a turn of called-off work asks. */
const askedLate = (event: EventBody, fields: Partial<PromptThread> = {}) => {
  const prompts = new PromptFold(thread(fields));
  const rules = { newId: () => promptId(101), sha256: (text: string) => `#${text}`, unanswered: {} };
  prompts.apply(runId(1), event, { at: at(100), rules, isOfOverWork: true });
  return prompts;
};

describe('work that is over', () => {
  test.each([
    ['a question', question('a'), {}],
    ['a permission', permission('ls'), {}],
    ['a permission that a policy would give', permission('ls'), { permissions: 'autonomous' }],
    ['a plan', plan, {}],
  ] as const)(
    'has %s cancelled at once, and its agent hears that its turn is over',
    (_what, event, fields) => {
      const prompts = askedLate(event, fields);
      expect(done(prompts)).toEqual(['openPrompt', 'settlePrompt']);
      expect(shown(prompts)).toEqual([['prompt_settled', promptId(101)]]);
      expect(prompts.prompts).toEqual([]);
      expect(prompts.declined).toMatchObject([
        { runId: runId(1), requestId: event.requestId, reason: 'turn_cancelled', isOver: true },
      ]);
    },
  );

  test('leaves the questions of other work as they are', () => {
    const other = prompt({ active: true, runId: runId(2) });
    const prompts = askedLate(question('a'), { prompts: [other] });
    expect(prompts.prompts).toEqual([other]);
    expect(done(prompts)).toEqual(['openPrompt', 'settlePrompt']);
  });
});

describe('a question', () => {
  test('opens a prompt, active and asked in the thread', () => {
    const prompts = fold({}, question('a'));
    expect(prompts.prompts).toEqual([
      {
        id: promptId(101),
        threadId,
        kind: 'text',
        state: 'pending',
        active: true,
        questions: question('a').questions,
        fingerprint: expect.stringContaining('a?'),
        onUnanswered: 'wait',
        createdAt: at(100),
        runId: runId(1),
        requestId: 'req_a',
        toolUseId: 'toolu_a',
      },
    ]);
    expect(done(prompts)).toEqual(['openPrompt']);
    expect(shown(prompts)).toEqual([['prompt_asked', promptId(101)]]);
  });

  test('behind another one waits until that is settled, and is asked then', () => {
    const prompts = fold({}, question('a'), question('b'));
    expect(prompts.prompts.map(({ active }) => active)).toEqual([true, false]);
    expect(shown(prompts)).toEqual([['prompt_asked', promptId(101)]]);

    const [first] = prompts.prompts;
    if (first) prompts.cancel(first, 'cancelled', 'user:owner');
    expect(shown(prompts).slice(1)).toEqual([
      ['prompt_settled', promptId(101)],
      ['prompt_asked', promptId(102)],
    ]);
    expect(prompts.prompts).toMatchObject([
      { id: promptId(101), active: false, isUntold: true },
      { id: promptId(102), active: true },
    ]);
  });

  test('with options is one to choose from; in a file it has no request, and its state goes back with the answer', () => {
    const prompts = fold(
      {},
      { type: 'needs_input', question: 'Which?', options: ['a'], context: 'why', partialState: { step: 2 } },
    );
    expect(prompts.prompts).toMatchObject([
      {
        kind: 'ask_user_question',
        questions: [{ question: 'Which?', context: 'why', options: [{ label: 'a' }] }],
        carry: { question: 'Which?', partial_state: { step: 2 } },
      },
    ]);
    expect(prompts.prompts[0]).not.toHaveProperty('requestId');
  });

  test('that cannot be read opens nothing', () => {
    expect(fold({}, { type: 'needs_input', error: 'blank' }).changes).toEqual([]);
  });

  test('takes its patience from the work, else from the settings', () => {
    const unanswered = { text: { afterSeconds: 60, policy: 'deny' } } as const;
    expect(fold({ unanswered }, question('a')).prompts).toMatchObject([
      { deadline: at(160), onUnanswered: 'deny' },
    ]);
  });
});

describe('asked again by the next run', () => {
  const before = fold({}, question('a')).prompts;

  test('it is the same prompt, at the new request', () => {
    const prompts = fold({ prompts: before }, [2, { ...question('a'), requestId: 'req_again' }]);
    expect(done(prompts)).toEqual(['patchPrompt']);
    expect(prompts.prompts).toMatchObject([{ id: promptId(101), runId: runId(2), requestId: 'req_again' }]);
    expect(prompts.events).toEqual([]);
  });

  test('it keeps the answer that it has by now', () => {
    const answered = before.map((each) => ({ ...each, active: false, acceptedAt: at(50) }));
    const prompts = fold({ prompts: answered }, [2, question('a')]);
    expect(prompts.prompts).toMatchObject([{ acceptedAt: at(50), runId: runId(2) }]);
  });

  test('the same words from the same run are another question', () => {
    expect(done(fold({ prompts: before }, question('a')))).toEqual(['openPrompt']);
  });

  test('an approval is the same only for the same action', () => {
    const asked = fold({}, permission('ls')).prompts;
    expect(done(fold({ prompts: asked }, [2, permission('ls')]))).toEqual(['patchPrompt']);
    expect(done(fold({ prompts: asked }, [2, permission('ls -a')]))).toEqual(['openPrompt']);
    expect(done(fold({ prompts: asked, cwd: '/elsewhere' }, [2, permission('ls')]))).toEqual(['openPrompt']);
  });

  test('it is declined when it was withdrawn meanwhile, and nobody is asked', () => {
    const waitingCall = { state: 'declining', toolUseId: 'toolu_a' } as const;
    const prompts = fold({ waitingCall }, [2, question('a')]);
    expect(prompts.changes).toEqual([]);
    expect(prompts.declined).toMatchObject([{ runId: runId(2), requestId: 'req_a' }]);
  });

  test('what was declined keeps its new place until it was heard there', () => {
    const withdrawn = fold({}, question('a'));
    const [asked] = withdrawn.prompts;
    if (asked) withdrawn.cancel(asked, 'deadline', 'policy:deadline');
    const waitingCall = { state: 'declining', toolUseId: 'toolu_a' } as const;
    const again = { ...question('a'), requestId: 'req_again' };
    const prompts = fold({ waitingCall, prompts: withdrawn.prompts }, [2, again]);
    expect(prompts.changes).toEqual([
      {
        do: 'patchPrompt',
        promptId: promptId(101),
        patch: { runId: runId(2), requestId: 'req_again', toolUseId: 'toolu_a' },
      },
    ]);
    expect(prompts.declined).toEqual([
      {
        runId: runId(2),
        requestId: 'req_again',
        toolUseId: 'toolu_a',
        reason: 'deadline',
        actor: 'policy:deadline',
      },
    ]);
    const delivered = fold({ prompts: prompts.prompts }, [2, receipt('withdrawn-req_again')]);
    expect(delivered.changes).toEqual([]);
    const heard = fold({ prompts: delivered.prompts }, [2, toolEnd('toolu_a')]);
    expect(heard.changes).toEqual([{ do: 'markTold', promptId: promptId(101) }]);
    expect(heard.prompts).toEqual([]);
  });

  test('another call is asked all the same', () => {
    const waitingCall = { state: 'declining', toolUseId: 'toolu_z' } as const;
    expect(done(fold({ waitingCall }, [2, question('a')]))).toEqual(['openPrompt']);
  });
});

const receipt = (commandId: string): EventBody<'command_accepted'> => ({
  type: 'command_accepted',
  commandId,
  command: 'withdraw',
});

describe('a withdrawn prompt', () => {
  test.each([
    ['cancelled', true],
    ['deadline', true],
    ['worker_restart', true],
    ['Not now, please', true],
    ['turn_cancelled', false],
    ['dispatch_cancelled', false],
    ['timeout', false],
    ['worker_shutdown', false],
    ['superseded', false],
    ['runtime_gone', false],
  ])('for the reason %s: its agent is to be told: %s', (reason, isUntold) => {
    const { changes, prompts } = withdrawn(reason);
    expect(changes.at(-1)).toMatchObject({ do: 'settlePrompt', ...(isUntold ? { isUntold } : {}) });
    expect(prompts.length).toBe(isUntold ? 1 : 0);
  });

  test.each<[string, EventBody]>([
    ['its call has ended', toolEnd('toolu_a')],
    ['its turn is complete', { type: 'turn_complete', sessionId: 's' }],
    ['a message has told of it', receipt(answerUuid(promptId(101)))],
  ])('is over once %s', (_, event) => {
    const { prompts } = withdrawn('deadline');
    const heard = fold({ prompts }, event);
    expect([done(heard), heard.prompts]).toEqual([['markTold'], []]);
  });

  // An agent that is let go before its call has ended does not know what it was told there.
  test.each<[string, EventBody]>([
    ['its runner has told the call', receipt('withdrawn-req_a')],
    ['another call was told', receipt('withdrawn-other')],
    ['another call has ended', toolEnd('toolu_z')],
    ['its call was cut off', { ...toolEnd('toolu_a'), cutOff: true }],
    ['its turn has a result, because its process is let go', result()],
  ])('is not over when %s', (_, event) => {
    const { prompts } = withdrawn('deadline');
    expect(done(fold({ prompts }, event))).toEqual([]);
  });

  test.each<[string, { results?: string[]; messages?: string[] }, string[], string[]]>([
    ['its call has a result, and was told', { results: ['toolu_a'] }, ['req_a'], ['markTold']],
    ['its call has a result that nobody of us has told', { results: ['toolu_a'] }, [], []],
    ['its call was told and has no result', {}, ['req_a'], []],
    ['a message has told of it', { messages: [answerUuid(promptId(101))] }, [], ['markTold']],
  ])('of a run that is gone, and %s', (_, saved, told, expected) => {
    expect(compared(withdrawn('deadline').prompts, [], saved, told)).toEqual(expected);
  });

  test('that no call of the agent asked is over once its request was told', () => {
    const { toolUseId: _none, ...request } = question('a');
    const asked = fold({}, request as EventBody);
    asked.cancel(asked.prompts[0] as ThreadPrompt, 'deadline');
    const heard = fold({ prompts: asked.prompts }, receipt('withdrawn-req_a'));
    expect([done(heard), heard.prompts]).toEqual([['markTold'], []]);
  });

  test('is no answer to the same question asked again', () => {
    const { prompts } = withdrawn('deadline');
    expect(done(fold({ prompts }, [2, question('a')]))).toEqual(['openPrompt']);
  });
});

describe('a plan that stands only in the call that was let go', () => {
  const empty = { ...plan, planContent: '' };

  test('is the same plan when that call is taken up', () => {
    const { prompts } = fold({}, plan);
    const waitingCall = { state: 'taking_up', toolUseId: 'toolu_plan', hasAsked: false } as const;
    expect(fold({ prompts, waitingCall }, [2, empty]).changes).toEqual([
      {
        do: 'patchPrompt',
        promptId: promptId(101),
        patch: { runId: runId(2), requestId: 'req_plan', toolUseId: 'toolu_plan' },
      },
    ]);
  });

  test('is another one where a plan is told, or another call asks', () => {
    const { prompts } = fold({}, plan);
    const waitingCall = { state: 'taking_up', toolUseId: 'toolu_plan', hasAsked: false } as const;
    const changed = { ...plan, planContent: '2. Do something else' };
    expect(done(fold({ prompts, waitingCall }, [2, changed]))).toEqual(['openPrompt']);
    expect(done(fold({ prompts, waitingCall }, [2, { ...empty, toolUseId: 'toolu_x' }]))).toEqual([
      'openPrompt',
    ]);
  });
});

test('when work is over, an answer that no agent has is given up, and one that was not used is dropped', () => {
  const undelivered = fold({ prompts: [accepted()] });
  undelivered.leaveWork('dispatch_cancelled');
  expect(done(undelivered)).toEqual(['settlePrompt']);
  expect(undelivered.prompts).toEqual([]);
  const { prompts } = carried('question', 'blue');
  const delivered = fold({ prompts });
  delivered.leaveWork('dispatch_cancelled');
  expect(done(delivered)).toEqual(['dropAnswer']);
  expect(delivered.prompts).toEqual([]);
});

describe('an answer that a message carries', () => {
  test.each<['question' | 'approval', string, string[]]>([
    ['question', 'blue', ['markConsumed']],
    ['approval', 'Deny', ['markConsumed']],
    // Whoever was only told of a consent may still act on it.
    ['approval', 'Approve', []],
  ])(
    'is used in a life whose turn had output, where nobody can tell more: %s %s',
    (kind, answer, expected) => {
      const { prompts } = carried(kind, answer);
      const heard = fold({ prompts });
      heard.heard(['another message'], at(200));
      expect(done(heard)).toEqual([]);
      heard.heard([answerUuid(promptId(101))], at(200));
      expect(done(heard)).toEqual(expected);
    },
  );
});

const decided = (fields: Partial<PromptThread>, event: EventBody) =>
  fold({ permissions: 'autonomous', ...fields }, event).changes.flatMap((change) =>
    change.do === 'acceptAnswer' ? [[change.actor, change.answers?.[0]?.answer[0]]] : [],
  );

describe('where nobody wants to be asked', () => {
  const approved = [['policy:autonomous', 'Approve']];
  const denied = [['policy:autonomous', 'Deny']];

  test.each<[string, Partial<PromptThread>, EventBody, unknown]>([
    ['an action is approved', {}, permission('ls'), approved],
    ['a plan is approved', {}, plan, approved],
    ['a question is asked', {}, question('a'), []],
    ['a plan is asked in a thread made to plan', { launchMode: 'plan' }, plan, []],
    ['nothing is changed while that plan is made', { launchMode: 'plan' }, permission('rm'), denied],
    ['the same in so many words', { launchMode: 'plan', mode: 'plan' }, permission('rm'), denied],
    ['all of it once it was approved', { launchMode: 'plan', mode: 'default' }, permission('rm'), approved],
    ['who wants to be asked is asked', { permissions: 'approval' }, permission('ls'), []],
  ])('%s', (_, fields, event, expected) => {
    expect(decided(fields, event)).toEqual(expected);
  });
});

describe('where an action was approved for the whole thread', () => {
  const grants = [
    {
      promptId: promptId(1),
      key: `#${grantText({ tool: 'Bash', input: { command: 'git push' } })}`,
      actor: 'user:ada' as const,
      at: at(1),
    },
  ];

  test.each<[string, EventBody, unknown]>([
    ['it is not asked again', permission('git push'), [['policy:grant', 'Approve']]],
    ['what begins alike is asked', permission('git push --force'), []],
    ['a plan is asked', plan, []],
    ['a question is asked', question('a'), []],
  ])('%s', (_, event, expected) => {
    expect(decided({ permissions: 'approval', grants }, event)).toEqual(expected);
  });
});

describe('an answer', () => {
  test('that its request has taken settles the prompt', () => {
    const prompts = fold(
      { prompts: [accepted()] },
      { type: 'answer_delivered', commandId: 'c', requestId: 'req_1' },
    );
    expect(prompts.prompts).toMatchObject([{ state: 'answered', deliveredAt: at(100) }]);
    expect(shown(prompts)).toEqual([['prompt_settled', promptId(1)]]);
  });

  test('that a message has carried settles it too', () => {
    const prompts = fold(
      { prompts: [accepted()] },
      { type: 'command_accepted', commandId: answerUuid(promptId(1)), command: 'message' },
    );
    expect(done(prompts)).toEqual(['markDelivered']);
  });

  test('that somebody gave behind our back cancels it', () => {
    const prompts = fold(
      { prompts: [prompt()] },
      { type: 'answer_delivered', commandId: 'c', requestId: 'req_1' },
    );
    expect(prompts.changes).toMatchObject([{ do: 'settlePrompt', state: 'cancelled', reason: 'superseded' }]);
  });

  test.each<[string, readonly ThreadPrompt[], EventBody, PromptChange['do'][]]>([
    ['is used when its call ends', [delivered()], toolEnd('toolu_1'), ['markConsumed']],
    ['is not used when another call ends', [delivered()], toolEnd('toolu_2'), []],
    ['is used when its turn ends', [delivered()], result(), ['markConsumed']],
    [
      'that was told in a message is used when that message’s turn ends',
      [delivered({ runId: runId(9) })],
      result({ messageUuid: answerUuid(promptId(1)) }),
      ['markConsumed'],
    ],
    ['of another run is not', [delivered({ runId: runId(9) })], result({ messageUuid: 'else' }), []],
    ['that is still on its way is not used', [accepted()], result(), []],
    ['that was never given: the call ended without it', [prompt()], toolEnd('toolu_1'), ['settlePrompt']],
    [
      'outlives a call that was cut off with its agent',
      [prompt()],
      { ...toolEnd('toolu_1'), cutOff: true },
      [],
    ],
    ['is not waited for after an interrupt', [prompt()], { type: 'interrupted' }, ['settlePrompt']],
    ['stays when it was accepted before the interrupt', [accepted()], { type: 'interrupted' }, []],
  ])('%s', (_, prompts, event, expected) => {
    expect(done(fold({ prompts }, event))).toEqual(expected);
  });
});

const compared = (
  prompts: readonly ThreadPrompt[],
  used: readonly ThreadPrompt[],
  saved: {
    readonly results?: readonly string[];
    readonly words?: readonly string[];
    readonly cutOff?: readonly string[];
    readonly silence?: readonly string[];
    readonly messages?: readonly string[];
  },
  told: readonly string[] = [],
) => {
  const folded = new PromptFold(thread({ prompts }));
  folded.compare(runId(1), {
    used,
    told,
    at: at(200),
    saved: {
      hasResult: (call) => saved.results?.includes(call) ?? false,
      isCutOff: (call) => saved.cutOff?.includes(call) ?? false,
      hasMessage: (uuid) => saved.messages?.includes(uuid) ?? false,
      ...(saved.silence ? { hasSilence: (call) => saved.silence?.includes(call) ?? false } : {}),
      ...(saved.words ? { hasWords: (call) => saved.words?.includes(call) ?? false } : {}),
    },
  });
  return folded.changes.map((change) => change.do);
};

const consent = (fields: Partial<ThreadPrompt> = {}) =>
  delivered({ kind: 'approval', answers: [{ question: 'May it?', answer: ['Approve'] }], ...fields });
const refusal = (message?: string) =>
  consent({
    answers: [{ question: 'May it?', answer: ['Deny'] }],
    answer: { decision: { approved: false, ...(message === undefined ? {} : { message }) } },
  });
const secret = delivered({
  consumedAt: at(22),
  questions: [{ question: 'Which?', multiSelect: false, options: [], isSecret: true }],
});

describe('what a dead session has saved', () => {
  const told = [answerUuid(promptId(1))];

  test.each<[string, ThreadPrompt[], ThreadPrompt[], object, string[]]>([
    ['an answer in its call was used', [delivered()], [], { results: ['toolu_1'] }, ['markConsumed']],
    ['an answer in a message was used', [delivered()], [], { messages: told }, ['markConsumed']],
    ['an answer that is not there is kept', [delivered()], [], {}, []],
    [
      'a refusal whose words are not there is told again',
      [],
      [refusal('Why?')],
      { results: ['toolu_1'], words: [] },
      ['unmarkConsumed'],
    ],
    [
      'a refusal whose words are there was used',
      [refusal('Why?')],
      [],
      { results: ['toolu_1'], words: ['toolu_1'] },
      ['markConsumed'],
    ],
    [
      'a refusal whose result has its words was used',
      [refusal('Why?')],
      [],
      { results: ['toolu_1'] },
      ['markConsumed'],
    ],
    [
      'a refusal without words was used',
      [refusal()],
      [],
      { results: ['toolu_1'], words: [] },
      ['markConsumed'],
    ],
    [
      'an answer in a call that was cut off is kept',
      [delivered()],
      [],
      { results: ['toolu_1'], cutOff: ['toolu_1'] },
      [],
    ],
    [
      'and told again, if it was reported as used',
      [],
      [delivered()],
      { results: ['toolu_1'], cutOff: ['toolu_1'] },
      ['unmarkConsumed'],
    ],
    [
      'what was approved may be done though its call was cut off',
      [consent()],
      [],
      { results: ['toolu_1'], cutOff: ['toolu_1'] },
      ['markConsumed'],
    ],
    ['a consent in its call was used', [consent()], [], { results: ['toolu_1'] }, ['markConsumed']],
    ['a consent that was only told of may still be acted on', [consent()], [], { messages: told }, []],
    ['an answer that was used and is there stays used', [], [delivered()], { results: ['toolu_1'] }, []],
    ['an answer that was used and is not there is told again', [], [delivered()], {}, ['unmarkConsumed']],
    ['a consent is never given twice', [], [consent()], {}, []],
    ['nor is a secret', [], [secret], {}, []],
    [
      'the result of a call that an earlier run left is no proof',
      [delivered({ runId: runId(9) })],
      [],
      { results: ['toolu_1'] },
      [],
    ],
    ['an answer that nobody has taken is not looked at', [accepted()], [], { results: ['toolu_1'] }, []],
  ])('%s', (_, prompts, used, saved, expected) => {
    expect(compared(prompts, used, saved)).toEqual(expected);
  });

  const silent = prompt({ state: 'cancelled', isUntold: true, requestId: 'req_1' });

  test.each<[string, object, string[]]>([
    ['in the result of its call is told', { results: ['toolu_1'] }, ['markTold']],
    ['in words of its own is told', { results: ['toolu_1'], silence: ['toolu_1'] }, ['markTold']],
    ['whose words are not there is still to be told', { results: ['toolu_1'], silence: [] }, []],
  ])('that nobody answered, %s', (_, saved, expected) => {
    expect(compared([silent], [], saved, ['req_1'])).toEqual(expected);
  });
});

const secretReceipt = (commandId: string): EventBody => ({
  type: 'answer_delivered',
  commandId,
  requestId: 'req_a',
});

describe('a secret', () => {
  const questions = [{ question: 'a?', multiSelect: false, options: [], isSecret: true }];
  const asksSecret = { ...question('a'), questions };
  const byOne = secretCommandId(promptId(101), 'user:one');

  test('is accepted when its agent has it, by whoever gave it, and without a word of it', () => {
    const folded = fold({}, asksSecret, secretReceipt(byOne));
    expect(folded.changes.slice(1)).toEqual([
      { do: 'acceptAnswer', promptId: promptId(101), actor: 'user:one', at: at(101) },
      { do: 'markDelivered', promptId: promptId(101), at: at(101) },
    ]);
    expect(folded.prompts).toMatchObject([{ state: 'answered', actor: 'user:one' }]);
  });

  test.each([
    ['of somebody at the runner itself', 'c'],
    ['of another prompt', secretCommandId(promptId(102), 'user:one')],
    ['of nobody that could be', secretCommandId(promptId(101), 'user:').replace('user:', 'root')],
  ])('is not accepted by a receipt %s', (_, commandId) => {
    expect(done(fold({}, asksSecret, secretReceipt(commandId)))).toEqual(['openPrompt', 'settlePrompt']);
  });

  const open = fold({}, asksSecret).prompts;

  test('is still to be given when the agent asks again in its next life', () => {
    const again = fold({ prompts: open }, [2, asksSecret]);
    expect(done(again)).toEqual(['patchPrompt']);
    expect(again.prompts).toMatchObject([{ id: promptId(101), runId: runId(2), state: 'pending' }]);
  });

  test('that the agent does not ask for again, although it was told to, is given up with a sentence', () => {
    const turn = { ...result(), messageUuid: askAgainUuid(promptId(101), runId(2)) };
    const folded = fold({ prompts: open }, [2, turn]);
    expect(folded.changes).toMatchObject([
      { do: 'settlePrompt', state: 'failed', reason: expect.stringContaining('went on without asking') },
    ]);
    expect(done(fold({ prompts: open }, [2, asksSecret], [2, turn]))).toEqual(['patchPrompt']);
    expect(done(fold({ prompts: open }, [2, result()]))).toEqual([]);
  });

  test('that was given to a life that died is asked for anew: nobody has it any more', () => {
    const given = fold({}, asksSecret, secretReceipt(byOne)).prompts;
    expect(done(fold({ prompts: given }, [2, asksSecret]))).toEqual(['openPrompt']);
  });
});

test('whatever happens, at most one prompt is active, it is open, and no open one is forgotten', () => {
  const events = fc.constantFrom<EventBody>(
    question('a'),
    question('b'),
    permission('ls'),
    { type: 'interrupted' },
    result(),
    toolEnd('toolu_a'),
    { type: 'answer_delivered', commandId: 'c', requestId: 'req_a' },
  );
  const step = fc.record({ run: fc.integer({ min: 1, max: 3 }), event: events, answers: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const prompts = new PromptFold(thread());
      let opened = 0;
      const rules = { newId: () => promptId(++opened), sha256: (text: string) => text, unanswered: {} };
      for (const { run, event, answers } of steps) {
        prompts.apply(runId(run), event, { at: at(1), rules });
        const active = prompts.prompts.find((each) => each.active);
        if (answers && active) prompts.accept(active, { actor: 'user:owner', at: at(2) });
      }
      const open = prompts.prompts.filter(isOpen);
      const active = prompts.prompts.filter((each) => each.active);
      expect(active.length).toBe(open.length === 0 ? 0 : 1);
      expect(active.every(isOpen)).toBe(true);
    }),
  );
});

function toolEnd(id: string): EventBody<'tool_end'> {
  return { type: 'tool_end', id, tool: 'AskUserQuestion', success: true, summary: '', duration: 0 };
}

/** A question that was withdrawn for this reason. */
function withdrawn(reason: string) {
  const prompts = fold({}, question('a'));
  const [asked] = prompts.prompts;
  if (asked) prompts.cancel(asked, reason, 'user:owner');
  return prompts;
}

/** An answer that was delivered by a message. */
function carried(kind: 'question' | 'approval', answer: string) {
  const prompts = fold({}, kind === 'question' ? question('a') : permission('ls'));
  const [asked] = prompts.prompts;
  const answers = [{ question: 'q', answer: [answer] }];
  if (asked) prompts.accept(asked, { actor: 'user:owner', at: at(1), answers });
  return fold({ prompts: prompts.prompts }, receipt(answerUuid(promptId(101))));
}
