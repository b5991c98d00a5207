import { expect, test } from 'vitest';
import { buildCommand, ownImage } from '../../../src/domain/container/own-image.js';

test.each(['claude', 'codex', 'opencode', 'exec', 'acp:gemini', 'acp:claude-agent-acp'] as const)(
  'the image of %s is built by the command that is named',
  (runtime) => {
    expect(buildCommand(ownImage(runtime))).toBe(`handraise container build ${runtime}`);
  },
);

test('another engine is named, and an image of somebody else is theirs', () => {
  expect(buildCommand('handraise-codex', 'podman')).toBe('handraise container build codex --engine podman');
  for (const image of ['node:22', 'handraise-claude:2', 'a.example/handraise-claude', 'handraise-'])
    expect(buildCommand(image)).toBe('handraise container build --help (docs/containers.md)');
});
