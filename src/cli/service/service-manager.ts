import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { homeFolder, programFile } from '../../compose.js';
import { runCaptured } from '../../process/children/captured-command.js';
import { Failure } from '../../protocol/failure.js';
import { launchAgent } from './launch-agent.js';
import { systemdUnit } from './systemd-unit.js';
import type { WorkerService } from './worker-service.js';

const answerWithinMs = 90_000;

/** How a service stands. */
export interface ServiceState {
  readonly file: string;
  readonly isInstalled: boolean;
  readonly isRunning: boolean;
  /** In the manager's own word. */
  readonly state: string;
}

/** What starts the worker with the machine: systemd's user manager, or launchd. */
export interface ServiceManager {
  readonly file: string;
  readonly text: string;
  /** Refuses where no manager answers; nothing is written then. */
  expectManager(): Promise<void>;
  install(): Promise<void>;
  uninstall(): Promise<void>;
  state(): Promise<ServiceState>;
  /** Has it start with the machine, not with the first login; false where that is not allowed. */
  startAtBoot(): Promise<boolean>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The manager of this platform, for the worker of this environment's home. */
export function serviceManager(env: Env, platform: NodeJS.Platform, uid: number): ServiceManager {
  const service = workerService(env, platform);
  const run = async (file: string, args: readonly string[]) => {
    const given = Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const signal = AbortSignal.timeout(answerWithinMs);
    return await runCaptured({ file, args, cwd: '/', env: given, signal });
  };
  const succeed = async (file: string, args: readonly string[]) => {
    const end = await run(file, args);
    if (end.kind === 'ended' && end.code === 0) return;
    const said =
      end.kind === 'ended' ? end.stderr.trim() : end.kind === 'missing' ? 'not installed' : 'no answer';
    throw new Failure('unavailable', `${file} ${args.join(' ')} failed: ${said}`);
  };
  return platform === 'darwin'
    ? launchdManager({ env, uid, service, run, succeed })
    : systemdManager({ env, service, run, succeed });
}

interface Means {
  readonly env: Env;
  readonly service: WorkerService;
  readonly run: (file: string, args: readonly string[]) => ReturnType<typeof runCaptured>;
  readonly succeed: (file: string, args: readonly string[]) => Promise<void>;
}

function systemdManager({ env, service, run, succeed }: Means): ServiceManager {
  const unit = `${service.name}.service`;
  const file = join(configHome(env), 'systemd', 'user', unit);
  const text = systemdUnit(service);
  const ask = (...args: string[]) => succeed('systemctl', ['--user', ...args]);
  return {
    file,
    text,
    expectManager: async () => {
      const end = await run('systemctl', ['--user', 'show-environment']);
      if (end.kind === 'ended' && end.code === 0) return;
      throw new Failure(
        'unavailable',
        'No systemd user manager answers (systemctl --user show-environment). Start the worker in another way: handraise up -d',
      );
    },
    install: async () => {
      write(file, text);
      await ask('daemon-reload');
      await ask('enable', unit);
      // A changed unit is taken up, too; agents outlive it.
      await ask('restart', unit);
    },
    uninstall: async () => {
      await ask('disable', '--now', unit);
      rmSync(file, { force: true });
      await ask('daemon-reload');
    },
    state: async () => {
      const end = await run('systemctl', ['--user', 'is-active', unit]);
      const state = end.kind === 'ended' ? end.stdout.trim() || 'unknown' : 'unknown';
      return { file, isInstalled: exists(file), isRunning: state === 'active', state };
    },
    startAtBoot: async () => {
      const end = await run('loginctl', ['enable-linger']);
      return end.kind === 'ended' && end.code === 0;
    },
  };
}

function launchdManager({
  env,
  uid,
  service,
  run,
  succeed,
}: Means & { readonly uid: number }): ServiceManager {
  const file = join(userHome(env), 'Library', 'LaunchAgents', `${service.name}.plist`);
  const text = launchAgent(service);
  const domain = `gui/${uid}`;
  const place = `${domain}/${service.name}`;
  return {
    file,
    text,
    expectManager: async () => await succeed('launchctl', ['print', domain]),
    install: async () => {
      write(file, text);
      // One that is loaded already keeps its old text.
      await run('launchctl', ['bootout', place]);
      await succeed('launchctl', ['bootstrap', domain, file]);
    },
    uninstall: async () => {
      await succeed('launchctl', ['bootout', place]);
      rmSync(file, { force: true });
    },
    state: async () => {
      const end = await run('launchctl', ['print', place]);
      const found = end.kind === 'ended' ? /^\s*state = (.+)$/m.exec(end.stdout)?.[1] : undefined;
      const state = found ?? 'not loaded';
      return { file, isInstalled: exists(file), isRunning: state === 'running', state };
    },
    // launchd starts what a user has with their login.
    startAtBoot: async () => await Promise.resolve(false),
  };
}

function workerService(env: Env, platform: NodeJS.Platform): WorkerService {
  const home = homeFolder(env);
  const { HANDRAISE_HOME: _home, ...rest } = env;
  const isUsual = home === homeFolder(rest);
  // Each home has its own service; the usual one has the usual name.
  const mark = isUsual ? '' : `-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`;
  const name = platform === 'darwin' ? `dev.handraise.worker${mark}` : `handraise${mark}`;
  const service = {
    name,
    command: [process.execPath, programFile, 'up'],
    home,
    env: { HANDRAISE_HOME: home, PATH: env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin' },
    envFile: join(configHome(env), 'handraise', 'service.env'),
  };
  const texts = [...service.command, home, service.env.PATH, service.envFile];
  // eslint-disable-next-line no-control-regex -- these end a line of the file, and would begin another one
  if (texts.some((text) => /[\u0000-\u001f\u007f]/.test(text)))
    throw new Failure('config', 'A path or PATH holds a control character, so no service can be written.');
  return service;
}

function configHome(env: Env): string {
  return env['XDG_CONFIG_HOME'] || join(userHome(env), '.config');
}

function userHome(env: Env): string {
  return env['HOME'] || homedir();
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o644 });
}
