import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acpAgent } from '../../../src/runtimes/acp/agents.js';
import { AcpTranslator } from '../../../src/runtimes/acp/translate.js';
import { WirePermissionRequest, WirePromptEnd } from '../../../src/runtimes/acp/wire.js';
import type { RuntimeFact } from '../../../src/runtimes/runtime.js';

// UPDATE_TRANSCRIPTS=1 takes the present facts as right.
const updating = process.env.UPDATE_TRANSCRIPTS !== undefined;
const folder = new URL('../../fixtures/transcripts/acp/', import.meta.url).pathname;

interface Line {
  readonly dir: '->' | '<-';
  readonly m: {
    readonly id?: number;
    readonly method?: string;
    readonly params?: { readonly sessionId?: string; readonly outcome?: unknown };
    readonly result?: { readonly sessionId?: string; readonly outcome?: { readonly optionId?: string } };
    readonly error?: { readonly code: number; readonly message: string };
  };
}

const recorded = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.facts.jsonl'))
  .toSorted();

/** What a session makes of a transcript: the same calls of the translator in the same order. */
function factsOf(name: string): RuntimeFact[] {
  const [agent = ''] = name.split('/');
  const translator = new AcpTranslator({
    now: () => 0,
    cwd: '/workspace',
    warnsInText: acpAgent(agent).warnsInText === true,
  });
  const opening = new Map<number | undefined, string>();
  const prompts = new Set<number | undefined>();
  const asked = new Map<number | undefined, WirePermissionRequest>();
  const refusing = /cancel|reject/;
  return linesOf(name).flatMap(({ dir, m }): RuntimeFact[] => {
    if (dir === '->') {
      if (/^session\/(new|load|resume)$/.test(m.method ?? '')) opening.set(m.id, m.params?.sessionId ?? '');
      if (m.method === 'session/prompt') {
        prompts.add(m.id);
        return [...translator.begin('message'), ...translator.announced()];
      }
      const permission = asked.get(m.id);
      if (!permission || m.method !== undefined) return [];
      asked.delete(m.id);
      const chosen = m.result?.outcome?.optionId ?? 'cancelled';
      return refusing.test(chosen) ? translator.refused(permission.toolCall, { hasWords: false }) : [];
    }
    if (m.method === 'session/update') return translator.updated(m.params);
    if (m.method === 'session/request_permission') {
      const permission = WirePermissionRequest.parse(m.params);
      asked.set(m.id, permission);
      return translator.asking(permission.toolCall).facts;
    }
    const session = opening.get(m.id);
    if (session !== undefined && m.result) opened(translator, session || (m.result.sessionId ?? ''));
    if (!prompts.has(m.id) || m.method !== undefined) return [];
    if (m.error) return translator.ended({ errors: [m.error.message], errorKind: 'other' });
    const end = WirePromptEnd.parse(m.result);
    translator.promptEnded(end);
    return translator.ended(translator.failureOf(end));
  });
}

function opened(translator: AcpTranslator, sessionId: string): void {
  translator.opened({ sessionId, model: 'm', permissionMode: 'default', servers: [], isNew: true });
}

function linesOf(name: string): Line[] {
  return readFileSync(join(folder, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

describe('what agents said over ACP', () => {
  it.each(recorded)('becomes the same facts as ever: %s', (name) => {
    const facts = factsOf(name);
    const file = join(folder, name.replace('.jsonl', '.facts.jsonl'));
    if (updating) writeFileSync(file, facts.map((fact) => `${JSON.stringify(fact)}\n`).join(''));
    const expected: unknown[] = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(facts).toEqual(expected);
    expect(facts.filter(({ type }) => type === 'unrecognized')).toEqual([]);
  });

  it('is kept where nobody knows it, each kind once in a turn', () => {
    const translator = new AcpTranslator({ now: () => 0, cwd: '/' });
    opened(translator, 's');
    translator.begin('u');
    const update = { sessionUpdate: 'hologram', colour: 'blue' };
    const news = [0, 1].flatMap(() => translator.updated({ sessionId: 's', update }));
    expect(news).toEqual([{ type: 'unrecognized', raw: update }]);
    expect(translator.updated('a bare word')).toEqual([{ type: 'unrecognized', raw: 'a bare word' }]);
  });

  it('is not told again when a session is taken up, nor for another session', () => {
    const translator = new AcpTranslator({ now: () => 0, cwd: '/' });
    const said = (sessionId: string) =>
      translator.updated({
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'old' } },
      });
    expect(said('s')).toEqual([]);
    opened(translator, 's');
    expect(said('s')).toEqual([]);
    translator.begin('u');
    expect([said('other'), said('s')]).toEqual([[], [{ type: 'text_delta', content: 'old' }]]);
  });
});
