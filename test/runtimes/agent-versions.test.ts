import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acpProfiles } from '../../src/runtimes/acp/profile.js';
import type { RuntimeProfile } from '../../src/runtimes/runtime.js';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'handraise-versions-'));
});
afterEach(() => rmSync(place, { recursive: true }));

/** A program on the PATH as npm installs it: a link into its package. */
function install(program: string, packageName: string, manifest: string): string {
  const file = join(place, 'lib/node_modules', packageName, 'dist/index.js');
  mkdirSync(dirname(file), { recursive: true });
  mkdirSync(join(place, 'bin'), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o755);
  writeFileSync(join(place, 'lib/node_modules', packageName, 'package.json'), manifest);
  symlinkSync(file, join(place, 'bin', program));
  return join(place, 'bin', program);
}

function installed(name: string, agents: Parameters<typeof acpProfiles>[0] = {}) {
  const profile = acpProfiles(agents).find((each: RuntimeProfile) => each.name === `acp:${name}`);
  return profile?.installed({ env: { PATH: join(place, 'bin') }, packageFolder: () => null });
}

describe('the version of an agent over ACP', () => {
  test.each([
    ['gemini', '@google/gemini-cli', '{"version":"0.61.0"}', '0.61.0'],
    ['opencode', 'opencode-ai', '{"version":"1.18.33"}', '1.18.33'],
    ['opencode', 'opencode-ai', '{"version":7}', undefined],
    ['opencode', 'opencode-ai', 'no manifest', undefined],
  ])('%s is that of its npm package %s: %s', (name, packageName, manifest, version) => {
    const program = install(name, packageName, manifest);
    expect(installed(name)).toEqual({ found: true, program, ...(version === undefined ? {} : { version }) });
  });

  test('is unknown where the user starts it with another command line, which may be any program', () => {
    install('npx', 'npm', '{"version":"11.0.0"}');
    const command = 'npx @google/gemini-cli --acp';
    expect(installed('gemini', { gemini: { command } })).toEqual({ found: true });
    expect(installed('mine', { mine: { command } })).toEqual({ found: true });
  });
});
