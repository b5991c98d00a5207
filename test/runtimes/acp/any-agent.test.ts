// @module-tag full
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AcpSession } from '../../../src/runtimes/acp/session.js';
import type { Launch, RuntimeFact, RuntimeHost } from '../../../src/runtimes/runtime.js';
import { waitUntil } from '../../harness/wait-until.js';

const file = new URL('../../fixtures/acp/scripted-agent.js', import.meta.url).pathname;
let cwd: string;
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'acp-')));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const inherited = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
);

type Asked = Parameters<RuntimeHost['ask']>;

/** A session with the scripted agent, and somebody who answers it. */
function open(
  behaviour: string,
  {
    answer,
    launch = {},
    ...times
  }: {
    answer?: (...asked: Asked) => unknown;
    launch?: Partial<Launch>;
    openingMs?: number;
    silenceMs?: number;
  } = {},
) {
  const facts: RuntimeFact[] = [];
  const asked: Asked[] = [];
  const host: RuntimeHost = {
    emit: (fact) => facts.push(fact),
    ask: (async (...request: Asked) => {
      asked.push(request);
      return await answer?.(...request);
    }) as unknown as RuntimeHost['ask'],
    whenWritable: () => undefined,
    marker: { name: 'ACP_TEST_MARK', value: `${process.pid}-${Math.random()}` },
    log: () => {},
    now: Date.now,
    newUuid: () => 'uuid',
  };
  const session = new AcpSession(
    'mine',
    {
      cwd,
      conversationId: 'c',
      command: `'${process.execPath}' '${file}' ${behaviour}`,
      fork: false,
      permissionMode: 'default',
      toolPreset: 'full',
      limits: {},
      checkpointing: false,
      settingSources: [],
      projectCode: { files: [] },
      mcpServers: {},
      betas: [],
      debug: false,
      env: inherited,
      stateDir: cwd,
      ...launch,
    },
    { host, sentinel: join(cwd, 'none'), ...times },
  );
  const ended = () => facts.filter((fact) => fact.type === 'turn_ended');
  return {
    session,
    facts,
    asked,
    async turn(content: string) {
      const before = ended().length;
      session.begin({ uuid: 'u', content, attachments: [] });
      await waitUntil('the turn ends', () => ended().length > before);
      return ended().at(-1);
    },
    [Symbol.asyncDispose]: async () => await session[Symbol.asyncDispose](),
    text: () => facts.flatMap((fact) => (fact.type === 'text_delta' ? [fact.content] : [])).join(''),
  };
}

const approved = () => ({ answered: true, approved: true, scope: 'thread' });
const allowed = '{"outcome":{"outcome":"selected","optionId":"allow_once"}}';

describe('an agent that nobody here knows', () => {
  it('is allowed one call at a time, and what was granted to the thread is not asked again', async () => {
    await using at = open('plain', { answer: approved });
    await at.turn('CHOOSE');
    await at.turn('CHOOSE');
    expect([at.text(), at.asked.length]).toEqual([allowed + allowed, 1]);
    expect(at.asked[0]?.slice(0, 2)).toEqual([
      'permission',
      { tool: 'Bash', input: { command: 'rm x' }, toolUseId: 'call_1' },
    ]);
  });

  it('never gets more than one call, and hears why when that is not offered', async () => {
    await using at = open('plain', {
      answer: approved,
      launch: {
        permissionMode: 'bypassPermissions',
        env: { ...inherited, IS_SANDBOX: '1' },
      },
    });
    await at.turn('FOREVER');
    expect(at.text()).toContain('"optionId":"reject_once"');
    await at.turn('HEARD');
    expect([at.asked, at.text()]).toEqual([
      [],
      expect.stringContaining('no option, or several, to allow this one call only'),
    ]);
  });

  it('hears that nobody answered, and that this is no refusal', async () => {
    await using at = open('plain', { answer: () => ({ answered: false, why: 'It is night.' }) });
    const end = await at.turn('CHOOSE');
    await at.turn('HEARD');
    expect(at.text()).toContain(
      'Nobody answered whether Bash may be used: It is night. Do not take this for a refusal or for consent.',
    );
    expect(end).toMatchObject({
      interrupted: false,
      result: { denials: [{ tool: 'Bash', toolUseId: 'call_1' }] },
    });
  });

  it('gets the form that a person filled, and no form that nobody filled', async () => {
    const replies: unknown[] = [
      { answered: true, answers: { 'Which region?': 'eu' } },
      { answered: true, answers: { 'Which region?': 'mars' } },
      { answered: false, why: 'It is night.' },
    ];
    await using at = open('plain', { answer: () => replies.shift() });
    for (const _ of [1, 2, 3]) await at.turn('FORM');
    expect(at.text()).toBe(
      '{"action":"accept","content":{"region":"eu"}}{"action":"cancel"}{"action":"cancel"}',
    );
    await at.turn('HEARD');
    expect(at.text()).toContain('A person answered \\"mars\\"');
    expect(at.text()).toContain('Nobody answered: It is night. Do not take this for an answer.');
  });

  it('has a page approved, whole and with its host, in every mode, and no address that is no page', async () => {
    const replies: unknown[] = [
      { answered: true, approved: true, scope: 'once' },
      { answered: true, approved: false, scope: 'once' },
      { answered: false, why: 'It is night.' },
    ];
    await using at = open('plain', {
      answer: () => replies.shift(),
      launch: { permissionMode: 'bypassPermissions', env: { ...inherited, IS_SANDBOX: '1' } },
    });
    const url = 'https://login.example/start?for=you';
    for (const _ of [1, 2, 3]) await at.turn(`PAGE ${url}`);
    expect(at.text()).toBe('{"action":"accept"}{"action":"decline"}{"action":"cancel"}');
    expect(at.asked[0]?.slice(0, 2)).toEqual([
      'permission',
      {
        tool: 'OpenUrl',
        input: { server: 'mine', host: 'login.example', url, message: 'Sign in first.' },
        server: 'mine',
        toolUseId: 'uuid',
        waitsUntil: expect.any(String),
      },
    ]);
    await at.turn('PAGE javascript:alert(1)');
    expect(at.asked).toHaveLength(3);
    await at.turn('HEARD');
    expect(at.text()).toContain('Nobody opened the page: It is night. Do not take this for a refusal.');
    expect(at.text()).toContain('Only the address of a web page can be shown to a person.');
    expect(at.facts.filter(({ type }) => type === 'unrecognized')).toEqual([]);
  });

  it('that says nothing for too long fails its turn, and takes the next one', async () => {
    await using at = open('plain', { silenceMs: 300 });
    expect(await at.turn('WAIT')).toMatchObject({
      interrupted: false,
      result: {
        success: false,
        errors: [
          'acp:mine said nothing for 0 s. It may be trying again and again to reach the server of its model.',
        ],
      },
    });
    expect(await at.turn('HEARD')).toMatchObject({ result: { success: true } });
  });

  it('that says nothing and hears nothing is ended, with the reason', async () => {
    await using at = open('plain', { silenceMs: 300 });
    at.session.begin({ uuid: 'u', content: 'DEAF', attachments: [] });
    expect((await at.session.exited).error).toBe(
      'acp:mine said nothing for 0 s. It did not stop when it was told to, so it was ended',
    );
    expect(at.facts.filter(({ type }) => type === 'turn_ended')).toEqual([]);
  });

  it('that waits for a person is not silent, however long that takes', async () => {
    const limit = 200;
    // Longer than the limit by the clock that the watch reads, whatever else the machine does.
    const answer = async () => {
      const since = Date.now();
      await waitUntil('the limit has passed', () => Date.now() - since > 3 * limit);
      return { answered: true, approved: true, scope: 'once' };
    };
    await using at = open('plain', { answer, silenceMs: limit });
    expect(await at.turn('CHOOSE')).toMatchObject({ result: { success: true } });
    expect(at.text()).toContain(allowed);
  });

  it('goes on whatever it nests and however many kinds of things nobody knows', async () => {
    await using at = open('plain');
    expect(await at.turn('DEEP HEARD')).toMatchObject({ result: { success: true } });
    expect(at.facts).toContainEqual({
      type: 'unrecognized',
      raw: { error: 'It is nested too deeply to be written.' },
    });
  });

  it('is offered none of our files', async () => {
    await using at = open('plain');
    await at.turn('FILE');
    expect(at.text()).toContain('Method not found');
    expect(at.facts).toContainEqual({
      type: 'unrecognized',
      raw: { method: 'fs/read_text_file', params: expect.anything() },
    });
  });

  it('is interrupted, and what it asks afterwards is cancelled', async () => {
    await using at = open('plain', { answer: approved });
    at.session.begin({ uuid: 'u', content: 'WAIT LATE', attachments: [] });
    await waitUntil('it has begun', () => at.facts.some(({ type }) => type === 'session_id_update'));
    await at.session.interrupt();
    expect(at.facts.at(-2)).toMatchObject({ type: 'turn_ended', interrupted: true });
    await at.turn('HEARD');
    expect([at.asked, at.text()]).toEqual([
      [],
      expect.stringContaining('{\\"outcome\\":{\\"outcome\\":\\"cancelled\\"}}'),
    ]);
  });

  it('that repeats a session which it loads is not heard twice', async () => {
    await using at = open('loads', { launch: { resume: 's7' } });
    const end = await at.turn('HEARD');
    expect([at.text(), end]).toMatchObject(['["HEARD"]', { sessionId: 's7' }]);
  });

  it.each([
    [
      'plain',
      { resume: 's7' },
      'acp:mine cannot take up the session s7: the agent offers neither session/resume nor session/load.',
    ],
    ['locked', {}, 'acp:mine is not signed in (Authentication required). It offers: A browser.'],
    ['future', {}, 'acp:mine speaks version 9 of ACP'],
    ['mute', {}, 'acp:mine opened no session in 1 s. It may wait for a login'],
    ['plain', { model: 'x' }, 'The runtime acp:mine cannot do this: choose a model.'],
  ])('ends with a sentence instead of waiting: %s', async (behaviour, launch, sentence) => {
    const at = open(behaviour, { launch, ...(behaviour === 'mute' ? { openingMs: 1000 } : {}) });
    expect((await at.session.exited).error).toContain(sentence);
  });
});
