import { expect, test } from 'vitest';
import { AcpTranslator } from '../../../src/runtimes/acp/translate.js';

const call = { toolCallId: 'c', title: 'rm x', kind: 'execute', rawInput: { command: 'rm x' } };
const update = (more: object) => ({ sessionId: 's1', update: more });
const failed = update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'failed' });
const said = update({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text: 'Then not.' },
});

function asking(): AcpTranslator {
  const translator = new AcpTranslator({ now: () => 0, cwd: '/w' });
  const opened = {
    sessionId: 's1',
    model: 'm',
    permissionMode: 'default',
    servers: [],
    isNew: true,
  } as const;
  translator.opened(opened);
  translator.begin('00000000-0000-4000-8000-000000000000');
  translator.asking(call);
  return translator;
}

const ends = (facts: readonly { readonly type: string }[]) =>
  facts.filter(({ type }) => type === 'tool_end').length;

test('a refused call ends at once where nothing more is said about it', () => {
  const translator = asking();
  expect(ends(translator.refused(call, { hasWords: false }))).toBe(1);
  expect(ends(translator.updated(failed))).toBe(0);
});

test('a refused call ends when the model has heard the words about it, which come in a prompt of their own', () => {
  const translator = asking();
  expect(ends(translator.refused(call, { hasWords: true }))).toBe(0);
  expect(ends(translator.updated(failed))).toBe(0);
  translator.goesOn();
  const facts = translator.updated(said);
  expect(facts.filter(({ type }) => type === 'tool_end')).toMatchObject([
    { id: 'c', success: false, summary: 'Not allowed.' },
  ]);
});
