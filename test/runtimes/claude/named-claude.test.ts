import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../../src/process/files/package-folder.js';
import { claudeProfile } from '../../../src/runtimes/claude/profile.js';
import { openStage } from '../../harness/stage.js';
import { Driver } from '../../runner/driver.js';
import { textOf } from '../../runner/stable.js';

const sdk = '@anthropic-ai/claude-agent-sdk';

const installed = (HANDRAISE_CLAUDE: string) =>
  claudeProfile.installed({ env: { HANDRAISE_CLAUDE }, packageFolder: () => null });

test('the Claude Code that was named is started in place of the copy that comes along', async () => {
  await using stage = await openStage('claude');
  const own = join(
    packageFolder(`${sdk}-${process.platform}-${process.arch}`, packageFolder(sdk) ?? '') ?? '',
    'claude',
  );
  const named = join(stage.home, 'my-claude');
  const started = join(stage.home, 'started');
  writeFileSync(named, `#!/bin/sh\ntouch ${started}\nexec ${own} "$@"\n`);
  chmodSync(named, 0o755);
  await using runner = new Driver(stage, { env: { HANDRAISE_CLAUDE: named } });
  expect([textOf(await runner.turn('[[text Hello.]]')), existsSync(started)]).toEqual(['Hello.', true]);

  expect(installed(named)).toEqual({ found: true, program: named });
  expect(installed('/nowhere/claude')).toEqual({
    found: false,
    missing: expect.stringMatching(/^Claude Code is not installed where HANDRAISE_CLAUDE says: /),
  });
  await using missing = new Driver(stage, { env: { HANDRAISE_CLAUDE: '/nowhere/claude' } });
  expect([await missing.end(), missing.stderr]).toMatchObject([
    { code: 69 },
    expect.stringContaining('correct or remove HANDRAISE_CLAUDE'),
  ]);
});
