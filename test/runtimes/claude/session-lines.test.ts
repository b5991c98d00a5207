import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSavedSession } from '../../../src/runtimes/claude/saved-session.js';
import { noteSessionEnd } from '../../../src/runtimes/claude/session-end.js';
import { sessionLines } from '../../../src/runtimes/session-lines.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handraise-session-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function lines(file: string): Promise<string[]> {
  const all: string[] = [];
  for await (const line of sessionLines(file)) all.push(line);
  return all;
}

test('CWE-400 and CWE-59: a session that is a pipe, a device or a link has no lines, and a line without end is left out', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const file = join(folder, 'file');
  writeFileSync(file, `one\n${'x'.repeat(64 * 2 ** 20 + 1)}\ntwo\n`);
  symlinkSync(file, join(folder, 'link'));
  expect(await lines(file)).toEqual(['one', 'two']);
  for (const each of [pipe, join(folder, 'link'), '/dev/zero', join(folder, 'nothing')])
    expect(await lines(each)).toEqual([]);
  for (const each of [pipe, '/dev/zero']) expect(() => noteSessionEnd(each)).not.toThrow();
});

const result = (id: string) => ({
  type: 'user',
  uuid: id,
  message: { content: [{ type: 'tool_result', tool_use_id: id }] },
});

test('CWE-400: what describes a sub-agent is read only when it is short', async () => {
  const project = join(folder, 'projects', 'p');
  const subagents = join(project, 's', 'subagents');
  mkdirSync(subagents, { recursive: true });
  const told = [result('call_a'), result('call_b')].map((each) => JSON.stringify(each)).join('\n');
  writeFileSync(join(project, 's.jsonl'), `${told}\n`);
  for (const [name, padding] of [
    ['a', ''],
    ['b', ' '.repeat(64 * 1024)],
  ] as const) {
    writeFileSync(join(subagents, `${name}.meta.json`), `{"toolUseId":"call_${name}"}${padding}`);
    writeFileSync(join(subagents, `${name}.jsonl`), `${JSON.stringify(result(`inner_${name}`))}\n`);
  }
  const env = { CLAUDE_CONFIG_DIR: folder };
  const saved = await readSavedSession({ sessionId: 's', env, run: 'r' });
  expect(['call_a', 'inner_a', 'inner_b'].map((id) => saved?.hasResult(id))).toEqual([true, true, false]);
});

test('the result of a call that was interrupted is told apart from what somebody said', async () => {
  const project = join(folder, 'projects', 'p');
  mkdirSync(project, { recursive: true });
  const entries = [
    said('stopped', "The user doesn't want to proceed with this tool use. The tool use was rejected (…"),
    said('interrupted', '[Tool call interrupted by the user]'),
    said('answered', 'The user answered: "Which?"="A".'),
    said('denied', 'The user denied this action.'),
    said('parts', [{ type: 'text', text: 'ok' }]),
  ];
  writeFileSync(join(project, 's.jsonl'), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  const env = { CLAUDE_CONFIG_DIR: folder };
  const saved = await readSavedSession({ sessionId: 's', env, run: 'r' });
  const ids = entries.map(({ uuid }) => uuid);
  expect(ids.map((id) => saved?.hasResult(id))).toEqual(ids.map(() => true));
  expect(ids.filter((id) => saved?.isCutOff?.(id))).toEqual(['stopped', 'interrupted']);
});

function said(id: string, content: unknown) {
  return {
    type: 'user',
    uuid: id,
    message: { content: [{ type: 'tool_result', tool_use_id: id, content }] },
  };
}
