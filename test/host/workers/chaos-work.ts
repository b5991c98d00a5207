import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DispatchRequest } from '../../../src/protocol/dispatch.js';

/**
 * What a piece of work does: it acts, asks first, waits for its time, or waits in front of a gate and then acts. One that is
 * `limited` is Claude Code that reaches a usage limit in the middle.
 */
export type ChaosKind = 'acts' | 'asks' | 'timed' | 'gated' | 'limited';

export interface ChaosWork {
  readonly key: string;
  readonly kind: ChaosKind;
  readonly folder: string;
  readonly request: DispatchRequest;
}

// Which life of the agent acts, and which one was the last to begin at that moment.
const begin = 'echo x >> starts; n=$(wc -l < starts)';
const act = 'echo "$n $(wc -l < starts)" >> acts';

const scripts: Readonly<Record<Exclude<ChaosKind, 'limited'>, string>> = {
  acts: `${begin}; sleep 0.5; ${act}`,
  timed: `${begin}; ${act}`,
  gated: `${begin}; while [ ! -e gate ]; do sleep 0.2; done; ${act}`,
  asks: `cat > told.$$; if ! grep -q token- told.$$; then mkdir -p .agora; cp question.json .agora/needs_input.json; exit 0; fi; ${begin}; mv told.$$ heard.$n; ${act}`,
};
const kinds = ['acts', 'asks', 'gated', 'asks', 'timed'] as const;
// A real agent takes a hundred times the processor of a shell.
const limitedEvery = 40;
const reachesLimit =
  '[[tool Read {"file_path":"missing.txt"}]][[next]][[error 429 resets-in=12 type=usage_limit_reached times=1]]';

/** Work that leaves in its folder what each life of its agent did. */
export function chaosWork(
  index: number,
  { root, now }: { readonly root: string; readonly now: number },
): ChaosWork {
  const kind = index % limitedEvery === 0 ? 'limited' : (kinds[index % kinds.length] ?? 'acts');
  const key = `chaos-${index}`;
  const folder = join(root, key);
  mkdirSync(folder, { recursive: true });
  if (kind === 'limited') {
    const text = `Work ${key}. ${reachesLimit}`;
    return {
      key,
      kind,
      folder,
      request: { text, runtime: 'claude', workspace: { path: folder }, retries: 3 },
    };
  }
  writeFileSync(join(folder, 'work.sh'), scripts[kind]);
  writeFileSync(join(folder, 'question.json'), JSON.stringify({ question: `Which colour for ${key}?` }));
  return {
    key,
    kind,
    folder,
    request: {
      text: `Work ${key}.`,
      runtime: 'exec',
      workspace: { path: folder },
      posture: { command: 'sh work.sh' },
      retries: 3,
      ...(kind === 'timed' && { notBefore: new Date(now + 20_000).toISOString() }),
    },
  };
}
