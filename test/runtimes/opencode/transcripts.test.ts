import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OpencodeTranslator } from '../../../src/runtimes/opencode/translate.js';
import { readEvent } from '../../../src/runtimes/opencode/wire.js';
import type { RuntimeFact } from '../../../src/runtimes/runtime.js';

// What the real program said on its stream of events, without those that are ignored; UPDATE_TRANSCRIPTS=1 takes the
// present facts as right.
const updating = process.env.UPDATE_TRANSCRIPTS !== undefined;
const version = '1.18.33';
const folder = new URL(`../../fixtures/transcripts/opencode/${version}/`, import.meta.url).pathname;
const names = readdirSync(folder).flatMap((name) =>
  name.endsWith('.facts.jsonl') ? [] : [name.slice(0, -6)],
);

function lines(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

function translator(now: () => number = () => 0): OpencodeTranslator {
  return new OpencodeTranslator({ now, cwd: '/workspace', permissionMode: 'default' });
}

const opened = (id: string) => ({ id, version, servers: [] });

/** Each new message of the user is handed over as ours. */
function factsOf(events: readonly unknown[]): RuntimeFact[] {
  const translating = translator();
  const begun = new Set<string>();
  return events.flatMap((raw) => {
    const read = readEvent(raw);
    if (read.kind === 'session.created' && translating.sessionId === null)
      translating.opened(opened(read.properties.sessionID));
    const info = read.kind === 'message.updated' ? read.properties.info : undefined;
    const isNew = info?.role === 'user' && !begun.has(info.id) && translating.turn === 'none';
    if (info && isNew) begun.add(info.id);
    const began = info && isNew ? translating.begin({ uuid: `u${begun.size}`, id: info.id }) : [];
    return [...began, ...translating.event(read)];
  });
}

describe(`what OpenCode ${version} said`, () => {
  it.each(names)('becomes the same facts as ever: %s', (name) => {
    const facts = factsOf(lines(`${folder}${name}.jsonl`));
    const file = `${folder}${name}.facts.jsonl`;
    if (updating) writeFileSync(file, facts.map((fact) => `${JSON.stringify(fact)}\n`).join(''));
    expect(facts).toEqual(lines(file));
    expect(facts.filter(({ type }) => type === 'unrecognized')).toEqual([]);
  });

  it('is kept whole where nobody knows it', () => {
    const news = [
      { type: 'hologram', properties: { colour: 'blue' } },
      { type: 'session.idle', properties: null },
      { type: 'permission.asked', properties: { id: 1 } },
      'a bare word',
    ];
    expect(news.flatMap((raw) => translator().event(readEvent(raw)))).toEqual(
      news.map((raw) => ({ type: 'unrecognized', raw })),
    );
  });
});

const user = (id: string) => ({
  type: 'message.updated',
  properties: { sessionID: 's', info: { id, role: 'user' } },
});
const retry = (message: string, next: number) => ({
  type: 'session.status',
  properties: { sessionID: 's', status: { type: 'retry', attempt: 1, message, next } },
});
const error = (name: string, message: string) => ({
  type: 'session.error',
  properties: { sessionID: 's', error: { name, data: { message } } },
});

function begun(now: () => number = () => 0) {
  const translating = translator(now);
  translating.opened(opened('s'));
  translating.begin({ uuid: 'u', id: 'm' });
  return {
    translating,
    hear: (...raw: object[]) => raw.flatMap((each) => translating.event(readEvent(each))),
  };
}

describe('a turn', () => {
  const idle = { type: 'session.idle', properties: { sessionID: 's' } };
  it('does not end while its message was not heard, nor twice', () => {
    const { hear } = begun();
    expect(hear(idle, user('another'), idle)).toEqual([]);
    expect(hear(user('m'), idle).filter(({ type }) => type === 'turn_ended')).toHaveLength(1);
    expect(hear(idle, idle)).toEqual([]);
  });

  it.each([
    [[error('APIError', 'no')], { success: false, errorKind: 'other', errors: ['no'] }],
    [[error('MessageAbortedError', 'Aborted')], { success: false, errorKind: 'interrupted' }],
    [
      [error('UnknownError', 'Model not found: a/b.'), error('MessageAbortedError', 'Aborted')],
      { success: false, errorKind: 'invalid_request' },
    ],
    [[], { success: true }],
  ])('ends as what was said: %j', (said, result) => {
    const { hear } = begun();
    expect(hear(user('m'), ...said, idle).at(-1)).toMatchObject({ type: 'turn_ended', result });
  });

  it('is given up when the next try lies more than a minute after the first, or when the login is wrong', () => {
    let now = 0;
    const { translating, hear } = begun(() => now);
    hear(user('m'), retry('Too Many Requests', 2000));
    expect(translating.isHopeless).toBe(false);
    now = 30_000;
    hear(retry('Too Many Requests', 62_000));
    expect(translating.isHopeless).toBe(true);
    expect(hear(idle).at(-1)).toMatchObject({
      type: 'turn_ended',
      interrupted: false,
      result: { success: false, errorKind: 'rate_limit' },
    });
    translating.begin({ uuid: 'v', id: 'n' });
    expect(translating.isHopeless).toBe(false);
    expect(hear(user('n'), retry('invalid x-api-key', now))).toMatchObject([{ type: 'auth_error' }]);
    expect(translating.isHopeless).toBe(true);
  });

  it('takes back text that broke off', () => {
    const { hear } = begun();
    const part = { id: 'p', messageID: 'a', sessionID: 's', type: 'text', text: '' };
    const facts = hear(
      user('m'),
      { type: 'message.updated', properties: { sessionID: 's', info: { id: 'a', role: 'assistant' } } },
      { type: 'message.part.updated', properties: { part } },
      {
        type: 'message.part.delta',
        properties: { sessionID: 's', messageID: 'a', partID: 'p', field: 'text', delta: 'Half' },
      },
      retry('socket closed', 1000),
    );
    expect(facts).toContainEqual({ type: 'text_abandoned', length: 4 });
  });
});
