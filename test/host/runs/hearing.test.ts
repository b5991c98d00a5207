import { expect, test } from 'vitest';
import { Hearing } from '../../../src/host/runs/hearing.js';
import { runId } from '../../domain/samples.js';

const request = (name: string) => ({
  runId: runId(1),
  requestId: `req_${name}`,
  toolUseId: `call_${name}`,
});
const event = (type: string, fields: object) => ({ type, json: JSON.stringify({ type, ...fields }) });
const told = (name: string) => event('command_accepted', { commandId: `withdrawn-req_${name}` });
const refused = (name: string) => event('command_error', { commandId: `withdrawn-req_${name}` });
const ended = (name: string) => event('tool_end', { id: `call_${name}` });

test.each<[string, readonly ReturnType<typeof event>[], boolean]>([
  ['not before anything happened', [], false],
  ['not when its runner was told, and its call has not ended', [told('a'), told('b'), ended('a')], false],
  ['once every call has ended', [told('a'), ended('a'), told('b'), ended('b')], true],
  ['in whatever order', [ended('b'), ended('a'), told('b'), told('a')], true],
  ['without a call that nobody waits in', [told('a'), ended('a'), refused('b')], true],
  ['not by what others do', [told('c'), ended('c'), event('command_error', {})], false],
])('all have heard: %s', (_, events, isOver) => {
  const hearing = new Hearing([request('a'), request('b')]);
  for (const each of events) hearing.note(each);
  expect(hearing.isOver).toBe(isOver);
});

test('a question without a call is heard once its runner was told', () => {
  const { toolUseId: _none, ...left } = request('a');
  const hearing = new Hearing([left]);
  hearing.note(told('a'));
  expect(hearing.isOver).toBe(true);
});
