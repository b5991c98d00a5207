// @module-tag full
// CWE-770: a worker on a small machine, or in a container with a limit.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { canBoundMemory, MemoryGroup } from '../harness/memory-group.js';
import { openCliStage } from './cli-stage.js';

const limit = 320 * 2 ** 20;
const flood = 'yes word | head -c 60000000';

test.runIf(canBoundMemory)(
  'CWE-770: a worker with two agents in 320 MB takes a flood of output, and nobody is ended for want of memory',
  async () => {
    const cli = await openCliStage();
    onTestFinished(async () => await cli[Symbol.asyncDispose]());
    const group = new MemoryGroup(limit);
    const up = cli.start(['up', '--json']);
    await up.saying('"url"');
    group.add(cli.workerPid());

    const script = join(cli.stage.workspace, 'flood.sh');
    writeFileSync(script, `${flood}\necho\necho over\n`);
    const submit = async (folder: string) =>
      (
        await cli.run('run', '-d', '--retries', '0', '-C', folder, '--command', `sh ${script}`, 'flood')
      ).stdout.trim();
    const ids = await Promise.all([submit(cli.stage.workspace), submit(cli.stage.home)]);
    for (const id of ids) expect(await cli.run('wait', id)).toMatchObject({ code: 0 });
    expect((await cli.run('ls')).code).toBe(0);
    expect(up.process.exitCode).toBeNull();
    expect(group.kills).toBe(0);
    await cli.run('down', '--stop-agents');
  },
);

test.skipIf(canBoundMemory)(
  'a memory limit (skipped: this needs root and control groups of version 1)',
  () => {},
);
