import { describe, expect, test } from 'vitest';
import { Notification } from '../../../src/host/notify/notification.js';
import { Notifications } from '../../../src/host/notify/notifications.js';
import type { ThreadEventBody } from '../../../src/protocol/thread-event.js';
import { at } from '../../contract/store/records.js';
import {
  asked,
  asking,
  channel,
  dispatchId,
  ending,
  promptId,
  publicUrl,
  question,
  thread,
  threadId,
} from './samples.js';

const everything = channel({ type: 'bell', name: 'ops' });

const now = () => Date.parse(at(0));

function operations(says: readonly ThreadEventBody[], channels = [everything], url = publicUrl) {
  return new Notifications({ channels, publicUrl: url, clock: { now } }).operationsFor(thread, says);
}

/** What is put for a channel when the sample question is asked. */
function putFor(name: string) {
  const payload = { ...asked, channel: name };
  const id = `asked-${promptId}-${name}`;
  return { do: 'putOutbox', entry: { id, kind: `notify ${name}`, payload, dueAt: at(0) } };
}

/** What the one entry says. */
function notificationOf(said: ThreadEventBody): Notification {
  const [operation, ...more] = operations([said]);
  expect(more).toEqual([]);
  return Notification.parse(operation?.entry.payload);
}

const whereTo = question('Where to?', {
  options: [{ label: 'staging', description: 'safe' }, { label: 'production' }],
});

const settled: ThreadEventBody<'prompt_settled'> = {
  type: 'prompt_settled',
  promptId,
  item: {
    content: [{ type: 'text', text: '✓ Answered: staging' }],
    metadata: {
      type: 'pending_prompt_resolved',
      prompt: {
        prompt_id: promptId,
        kind: 'ask_user_question',
        prompt_state: 'answered',
        answers: [],
        reason: null,
      },
    },
  },
};

test('a question is told to every channel that wants questions', () => {
  const channels = [
    everything,
    channel({ type: 'desktop', name: 'screen', on: ['asked'] }),
    channel({ type: 'bell', name: 'ends', on: ['finished', 'failed'] }),
  ];

  expect(operations([asking([whereTo])], channels)).toEqual([putFor('ops'), putFor('screen')]);
});

test('the same question again has the same id, so that the outbox keeps one', () => {
  const ids = operations([asking([whereTo]), asking([whereTo])]).map(({ entry }) => entry.id);

  expect(ids).toEqual([`asked-${promptId}-ops`, `asked-${promptId}-ops`]);
});

test('a question that is settled as it is asked is told to nobody', () => {
  expect(operations([asking([whereTo]), settled])).toEqual([]);
});

test('a link works whether the public address ends with a slash or not', () => {
  const links = [publicUrl, `${publicUrl}/`].map(
    (url) => operations([asking([whereTo])], [everything], url)[0]?.entry.payload['link'],
  );

  expect(links).toEqual([asked.link, asked.link]);
});

describe('the words of a question', () => {
  test('say what an approval is for, and nothing of its input', () => {
    const notification = notificationOf(asking([question('May the agent use Bash?')], 'approval'));

    expect(notification).toEqual({
      ...asked,
      title: 'Approval: Ship it',
      text: 'Claude asks to use Bash',
      kind: 'approval',
    });
    expect(JSON.stringify(notification)).not.toContain('hunter2');
  });

  test('hold nothing of a secret one', () => {
    const secret = question('The password of prod-db-7?', {
      isSecret: true,
      header: 'prod-db-7',
      options: [{ label: 'the one of prod-db-7' }],
    });
    const notification = notificationOf(asking([whereTo, secret]));

    expect(notification).toMatchObject({
      text: 'Where to?\n1. staging\n2. production\n\nThe agent asks for a secret. Open the link to enter it.',
    });
    expect(JSON.stringify(notification)).not.toContain('prod-db-7');
  });

  test('are plain and short', () => {
    const { text } = notificationOf(asking([question(`\u001b[31m<b>${'x'.repeat(2000)}`)]));

    expect(text).toBe(`<b>${'x'.repeat(996)}…`);
  });
});

describe('the end of work', () => {
  const said = {
    channel: 'ops',
    at: at(0),
    link: `${publicUrl}/#thread=${threadId}`,
    thread: asked.thread,
    dispatchId,
  };

  test('is told as finished', () => {
    expect(notificationOf(ending())).toEqual({
      ...said,
      occasion: 'finished',
      title: 'Finished: Ship it',
      text: 'All done.',
      result: 'succeeded',
      exitCode: 0,
    });
  });

  test.each([
    ['failed', 1, 'Failed: Ship it'],
    ['blocked', 2, 'Blocked: Ship it'],
  ])('is told as failed when it is %s', (result, exitCode, title) => {
    expect(notificationOf(ending({ result, exitCode, reason: 'oom' }))).toEqual({
      ...said,
      occasion: 'failed',
      title,
      text: 'Reason: out of memory\n\nAll done.',
      result,
      exitCode,
      reason: 'oom',
    });
  });

  test('tells why, in the words of whatever failed', () => {
    const execution = { kind: 'error', error: 'invalid' } as const;
    const summary = '/tmp/x is not in a git repository.';
    expect(
      notificationOf(ending({ result: 'failed', exitCode: 65, reason: 'invalid', execution, summary })),
    ).toMatchObject({ title: 'Failed: Ship it', text: `Reason: ${summary}`, reason: 'invalid' });
  });

  test.each([
    ['work that was cancelled', ending({ result: 'cancelled', exitCode: 130, reason: 'cancelled' })],
    [
      'a try that is not the last',
      {
        type: 'attempt_ended',
        dispatchId,
        attempt: 1,
        outcome: { ...ending().outcome, result: 'failed', exitCode: 1 },
        retryAt: at(9),
      } as const,
    ],
    ['a start', { type: 'dispatch_started', dispatchId, attempt: 2 } as const],
    ['an answer', settled],
    ['a notice', { type: 'notice', message: 'something' } as const],
  ])('%s tells nobody', (_, event) => {
    expect(operations([event])).toEqual([]);
  });
});
