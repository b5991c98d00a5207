import { expect, it } from 'vitest';
import type { ConversationEntry } from '../../src/simulator/conversation.js';
import { currentPrompt } from '../../src/simulator/prompt.js';

const scripted = '[[tool a]] [[next]] [[tool b]] [[next]] [[text c]]';
const loop: ConversationEntry[] = [user(scripted), call('1'), call('2'), result('1'), result('2')];

it.each<[what: string, entries: ConversationEntry[], text: string, round: number]>([
  ['nothing', [], '', 0],
  ['a prompt', [user('hi')], 'hi', 0],
  [
    'what agents put around it',
    [user('<env>x</env>'), user('hi'), user('<system-reminder>[[text no]]')],
    'hi',
    0,
  ],
  ['parallel results as one round', loop, scripted, 1],
  ['a second round', [...loop, call('3'), result('3')], scripted, 2],
  ['a plain text in the middle of the loop as steering', [...loop, user('hurry up')], scripted, 1],
  [
    'a scripted text in the middle of the loop as a new prompt',
    [...loop, user('[[text x]]')],
    '[[text x]]',
    0,
  ],
  ['a new prompt after the turn', [...loop, userMessage('c'), user('thanks')], 'thanks', 0],
  [
    'a new prompt after an interruption',
    [...loop, user('[Request interrupted by user]'), user('stop')],
    'stop',
    0,
  ],
  [
    'a notice after the turn as the same prompt',
    [...loop, userMessage('c'), user('<task-notification>')],
    scripted,
    1,
  ],
])('sees %s', (_what, entries, text, round) => {
  const conversation = {
    model: '',
    system: '',
    entries,
    tools: [],
    stream: false,
    session: '',
  };
  expect(currentPrompt(conversation)).toMatchObject({ text, round });
});

function user(text: string): ConversationEntry {
  return { kind: 'user', text };
}

function userMessage(text: string): ConversationEntry {
  return { kind: 'assistant', text };
}

function call(id: string): ConversationEntry {
  return { kind: 'toolCall', id, name: 'a', input: {} };
}

function result(callId: string): ConversationEntry {
  return { kind: 'toolResult', callId, text: '', isError: false };
}
