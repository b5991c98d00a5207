import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageVersion } from '../../compose.js';
import type { DoctorLine } from '../../domain/doctor/doctor-line.js';
import { roomFindings } from '../../domain/preflight/room.js';
import { runCaptured } from '../../process/children/captured-command.js';
import { readFileBeginning } from '../../process/files/bounded-file.js';
import { packageRoot } from '../../process/files/package-root.js';

const gitMs = 10_000;
const storeHeader = 'SQLite format 3\0';

/** What was installed, and what it needs from the machine. */
export async function installationLines(env: NodeJS.ProcessEnv): Promise<readonly DoctorLine[]> {
  return [nodeLine(), packageLine(), await gitLine(env)];
}

function nodeLine(): DoctorLine {
  const line = { part: 'Installation', name: 'Node.js' } as const;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > 20 || (major === 20 && minor >= 19);
  const says = process.versions.node;
  return isNew
    ? { ...line, state: 'good', says }
    : { ...line, state: 'broken', says, fix: 'Handraise needs Node.js 20.19 or later: https://nodejs.org' };
}

/** A copy that was cut off, or cleaned up too well, fails in strange places. */
function packageLine(): DoctorLine {
  const line = { part: 'Installation', name: 'Handraise' } as const;
  const needed = ['bin/handraise-runner.js', 'dist/compose.js', 'dist/web/index.html', 'docs/signals.json'];
  const missing = needed.filter((path) => !existsSync(new URL(path, packageRoot)));
  if (missing.length === 0) return { ...line, state: 'good', says: packageVersion() };
  return {
    ...line,
    state: 'broken',
    says: `${packageVersion()}, and ${missing.join(', ')} of it ${missing.length === 1 ? 'is' : 'are'} missing`,
    fix: 'Install it again: npm install -g handraise',
  };
}

async function gitLine(env: NodeJS.ProcessEnv): Promise<DoctorLine> {
  const line = { part: 'Installation', name: 'git' } as const;
  const { PATH = '', HOME = '/' } = env;
  const signal = AbortSignal.timeout(gitMs);
  const end = await runCaptured({ file: 'git', args: ['--version'], cwd: '/', env: { PATH, HOME }, signal });
  if (end.kind === 'ended' && end.code === 0)
    return { ...line, state: 'good', says: end.stdout.trim().replace('git version ', '').slice(0, 60) };
  return {
    ...line,
    state: 'broken',
    says: 'it is not on the PATH, so nothing can say what an agent changed, and there are no worktrees',
    fix: 'Install git.',
  };
}

/** The folder with everything that is kept. */
export function stateFolderLines(home: string): readonly DoctorLine[] {
  const line = { part: 'Installation', name: 'home' } as const;
  const stat = statSync(home, { throwIfNoEntry: false });
  if (!stat) return [{ ...line, state: 'good', says: `${home} is made by the first work` }];
  if (!stat.isDirectory())
    return [{ ...line, state: 'broken', says: `${home} is not a folder`, fix: 'Set HANDRAISE_HOME.' }];
  if (!canUse(home))
    return [
      {
        ...line,
        state: 'broken',
        says: `${home} cannot be read and written by this user`,
        fix: `Give it back to yourself, for example with chown, or set HANDRAISE_HOME.`,
      },
    ];
  const { bavail, bsize, files, ffree } = statfsSync(home);
  const room = roomFindings(
    { what: "the worker's state", path: home },
    { bytes: bavail * bsize, inodes: files === 0 ? null : ffree },
  );
  return [
    ...room.map(({ problem, fix }): DoctorLine => ({ ...line, state: 'broken', says: problem, fix })),
    ...(room.length > 0 ? [] : [{ ...line, state: 'good' as const, says: home }]),
    ...secretLines(home),
    ...storeLines(home),
  ];
}

/** What only its owner may read. */
function secretLines(home: string): readonly DoctorLine[] {
  const open = ['token', 'worker.json'].filter((name) => {
    const mode = statSync(join(home, name), { throwIfNoEntry: false })?.mode ?? 0;
    return (mode & 0o077) !== 0;
  });
  return open.map((name) => ({
    part: 'Installation',
    name,
    state: 'broken',
    says: `other users of this machine may read ${join(home, name)}, and whoever reads it may do what you may`,
    fix: `Close it, and make a new token: chmod 600 ${join(home, name)} && handraise token rotate`,
  }));
}

function storeLines(home: string): readonly DoctorLine[] {
  const line = { part: 'Installation', name: 'store' } as const;
  const place = join(home, 'store-place');
  if (existsSync(place))
    return [
      { ...line, state: 'good', says: `PostgreSQL at ${readFileSync(place, 'utf8').trim().slice(0, 200)}` },
    ];
  const file = join(home, 'store.db');
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) return [{ ...line, state: 'good', says: 'made by the first work' }];
  if (readFileBeginning(file, storeHeader.length) === storeHeader)
    return [{ ...line, state: 'good', says: `${file}, ${(stat.size / 2 ** 20).toFixed(1)} MB` }];
  return [
    {
      ...line,
      state: 'broken',
      says: `${file} is no SQLite database`,
      fix: 'Stop the worker (handraise down) and put a backup of the file back, or move it away to begin anew.',
    },
  ];
}

function canUse(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
