import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AmpSession } from '../../../src/runtimes/amp/session.js';
import { readAmpLine } from '../../../src/runtimes/amp/wire.js';
import type { Launch, RuntimeFact, RuntimeHost } from '../../../src/runtimes/runtime.js';
import { waitUntil } from '../../harness/wait-until.js';

let cwd: string;
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'amp-')));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** A session with a program that is this shell script. */
function open(script: string, silenceMs?: number) {
  const file = join(cwd, 'amp');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  const facts: RuntimeFact[] = [];
  const host = {
    emit: (fact: RuntimeFact) => void facts.push(fact),
    whenWritable: () => undefined,
    marker: { name: 'AMP_TEST_MARK', value: `${process.pid}` },
    log: () => {},
    now: () => 0,
    newUuid: () => 'uuid',
  } as unknown as RuntimeHost;
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, HANDRAISE_AMP: file };
  const launch = { cwd, env, limits: {}, permissionMode: 'bypassPermissions', conversationId: 'c' };
  const options = { sentinel: join(cwd, 'none'), ...(silenceMs === undefined ? {} : { silenceMs }) };
  return { facts, session: new AmpSession(launch as unknown as Launch, host, options) };
}

const lines = [
  { type: 'system', subtype: 'init', cwd: '/w', session_id: 'T-1', tools: ['Bash'], mcp_servers: [] },
  {
    type: 'assistant',
    message: { id: 'm1', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    parent_tool_use_id: null,
    session_id: 'T-1',
  },
  {
    type: 'result',
    subtype: 'success',
    duration_ms: 5,
    is_error: false,
    num_turns: 1,
    result: 'Done.',
    session_id: 'T-1',
  },
];

it('reads the messages as Amp documents them, and goes on with its thread', async () => {
  const printed = lines.map((line) => JSON.stringify(line)).join('\n');
  const { facts, session } = open(
    `cat > /dev/null; echo "$@" >> '${cwd}/args'\ncat <<'EOF'\n${printed}\nEOF`,
  );
  const ended = () => facts.filter((fact) => fact.type === 'turn_ended');
  for (const uuid of ['u1', 'u2']) {
    const before = ended().length;
    session.begin({ uuid, content: 'Do it.', attachments: [] });
    await waitUntil('the turn ends', () => ended().length > before);
  }
  await session[Symbol.asyncDispose]();
  expect(ended()).toMatchObject([
    { sessionId: 'T-1', result: { success: true, text: 'Done.', messageUuid: 'u1' } },
    { sessionId: 'T-1', result: { success: true, text: 'Done.', messageUuid: 'u2' } },
  ]);
  expect(facts.filter(({ type }) => type === 'unrecognized')).toEqual([]);
  expect(facts.filter(({ type }) => type === 'text_delta')).toHaveLength(2);
  expect(readFileSync(join(cwd, 'args'), 'utf8')).toBe(
    '-x --stream-json --dangerously-allow-all\nthreads continue T-1 -x --stream-json --dangerously-allow-all\n',
  );
});

it('ends a program that says nothing, as if it waits for a login', async () => {
  const { session } = open('exec sleep 3600', 200);
  session.begin({ uuid: 'u', content: 'Do it.', attachments: [] });
  const { error } = await session.exited;
  expect(error).toContain('set AMP_API_KEY');
});

it('a failed turn says why', () => {
  expect(
    readAmpLine('{"type":"result","subtype":"error_during_execution","error":"Out of credits"}'),
  ).toEqual({
    type: 'result',
    subtype: 'error_during_execution',
    error: 'Out of credits',
    errors: ['Out of credits'],
  });
});
