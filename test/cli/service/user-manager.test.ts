// @module-tag full
// The service with a real systemd user manager: each restart finds the runners again and adds none, and what a stop of the manager
// itself kills goes on after its next start.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { markedProcesses } from '../../harness/process-guard.js';
import { missingForManager, UserManager } from '../../harness/user-manager.js';
import { eventually, waitUntil } from '../../harness/wait-until.js';
import { openCliStage } from '../cli-stage.js';

const missing = missingForManager();
if (missing !== null) process.stdout.write(`service with a real user manager: skipped, ${missing}\n`);

test.skipIf(missing !== null)(
  'restarts find the runners again and add none; a stop of the manager is as a reboot',
  { timeout: 900_000 },
  async () => {
    await using cli = await openCliStage();
    await using manager = new UserManager({ home: cli.stage.home, path: cli.env['PATH'] ?? '' });
    await manager.start();
    // The one that is kept ready for the next work would be counted with the others.
    Object.assign(cli.env, manager.env, { HANDRAISE_KEEP_SPARE: 'false' });
    const file = join(cli.stage.home, '.config', 'handraise', 'service.env');
    mkdirSync(dirname(file), { recursive: true });
    const { PATH: _path, HOME: _home, HANDRAISE_HOME: _own, XDG_RUNTIME_DIR: _runtime, ...others } = cli.env;
    writeFileSync(
      file,
      Object.entries(others)
        .map(([name, value]) => `${name}='${value}'\n`)
        .join(''),
    );

    expect(await cli.run('service', 'install')).toMatchObject({ code: 0 });
    expect(await cli.run('service', 'status')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^active {2}.*\.service\n$/),
    });
    const asks = '[[ask Which colour? | Red | Blue]] [[next]] [[text Painted.]]';
    const work = await cli.run('run', '-d', asks, '-C', cli.stage.workspace);
    expect(work).toMatchObject({ code: 0 });
    const dispatch = work.stdout.trim();
    const question = async () =>
      await eventually(
        'the agent asks',
        async () => (await cli.run('inbox', '-q')).stdout.trim(),
        (said) => said !== '',
      );
    await question();
    const runners = async () =>
      (await markedProcesses(cli.stage.mark))
        .filter(({ command }) => command.includes('handraise-runner'))
        .map(({ pid }) => pid)
        .toSorted((one, other) => one - other);
    const before = await runners();
    expect(before).toHaveLength(1);

    const unit = manager.ask('list-units', '--plain', '--no-legend', 'handraise*').split(' ')[0] ?? '';
    for (const end of ['kill', 'restart', 'kill', 'stop and start'] as const) {
      const worker = cli.workerPid();
      if (end === 'kill') process.kill(worker, 'SIGKILL');
      else if (end === 'restart') manager.ask('restart', unit);
      else {
        manager.ask('stop', unit);
        expect(await runners(), 'after the stop').toEqual(before);
        manager.ask('start', unit);
      }
      await waitUntil(`another worker answers after the ${end}`, async () => {
        const isNew = await Promise.resolve()
          .then(() => cli.workerPid() !== worker)
          .catch(() => false);
        return isNew && (await cli.run('service', 'status')).code === 0;
      });
      // It has found its agent once it says that this one asks.
      await question();
      expect(await runners(), `after the ${end}`).toEqual(before);
    }

    await manager.stop();
    expect(await runners(), 'after the stop of the manager').toEqual([]);
    await manager.start();
    await waitUntil(
      'the worker has started with the manager',
      async () => (await cli.run('service', 'status')).code === 0,
    );
    expect(await cli.run('answer', await question(), 'Blue')).toMatchObject({ code: 0 });
    expect(await cli.run('wait', dispatch)).toMatchObject({ code: 0 });

    const again = (await cli.run('run', '-d', asks, '-C', cli.stage.workspace)).stdout.trim();
    const open = await question();
    const left = await runners();
    expect(await cli.run('service', 'uninstall')).toMatchObject({ code: 0 });
    expect(await cli.run('service', 'status')).toMatchObject({ code: 69, stdout: 'not installed\n' });
    expect(await runners(), 'after the service was removed').toEqual(left);
    // Any command starts a worker again, and that one finds the agent.
    expect(await cli.run('answer', open, 'Red')).toMatchObject({ code: 0 });
    expect(await cli.run('wait', again)).toMatchObject({ code: 0 });
  },
);
