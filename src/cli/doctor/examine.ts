import { readFileSync } from 'node:fs';
import { homeFolder, loadRuntimeCatalog, packageVersion } from '../../compose.js';
import { ownImage } from '../../domain/container/own-image.js';
import { agentLines, missingWords } from '../../domain/doctor/agent-lines.js';
import type { DoctorLine } from '../../domain/doctor/doctor-line.js';
import { SignalRecord } from '../../domain/doctor/signal-record.js';
import { type ExaminedWorker, workerLines } from '../../domain/doctor/worker-lines.js';
import { packageRoot } from '../../process/files/package-root.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { answers, holderOf } from '../background-worker.js';
import { effectiveSettings } from '../settings/effective-settings.js';
import type { Settings } from '../settings/settings.js';
import { openClient, workerAddress } from '../worker-address.js';
import { installationLines, stateFolderLines } from './installation.js';

/** What the installation is looked at with. */
export interface DoctorPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
}

/** Everything that this command can see of an installation; nothing is changed, and no worker is started. */
export async function examine({ env, folder }: DoctorPlace): Promise<readonly DoctorLine[]> {
  const home = homeFolder(env);
  const settings = readSettings({ env, folder });
  const runtimes = await examineRuntimes({ env, folder }, settings.values);
  const worker = await examineWorker(home);
  return [
    ...(await installationLines(env)),
    ...settings.lines,
    ...stateFolderLines(home),
    ...workerLines(worker, { version: packageVersion(), runtimes: runtimes.found }),
    ...runtimes.lines,
    ...runtimes.containers,
  ];
}

/** Where agents work in containers, nothing works without their engine and the image of the usual runtime. */
async function containerLines(
  catalog: Pick<Awaited<ReturnType<typeof loadRuntimeCatalog>>, 'expectImage'>,
  settings: Partial<Settings>,
): Promise<readonly DoctorLine[]> {
  const { container, containerEngine: engine = 'docker', containerImage, runtime = 'claude' } = settings;
  if (!container) return [];
  const image = containerImage ?? ownImage(runtime);
  const line = { part: 'Containers', name: engine } as const;
  try {
    await catalog.expectImage({ container: { image, engine } });
    return [{ ...line, state: 'good', says: `it answers, and has the image ${image}` }];
  } catch (error) {
    return [{ ...line, state: 'broken', ...missingWords(errorSentence(error), 'See docs/containers.md.') }];
  }
}

function readSettings(place: DoctorPlace): {
  readonly values: Partial<Settings>;
  readonly lines: readonly DoctorLine[];
} {
  const line = { part: 'Installation', name: 'settings' } as const;
  try {
    const { values, notes } = effectiveSettings(place);
    const left = notes.map(
      (note): DoctorLine => ({ ...line, state: 'warns', says: note, fix: 'See: handraise config ls' }),
    );
    return { values, lines: left.length > 0 ? left : [{ ...line, state: 'good', says: 'can be read' }] };
  } catch (error) {
    const says = errorSentence(error);
    const variable = /\(from: (HANDRAISE_[A-Z_]+)\)$/.exec(says)?.[1];
    const fix = variable
      ? `Correct ${variable}, or unset it.`
      : 'Correct the file, or see what counts: handraise config path';
    return { values: {}, lines: [{ ...line, state: 'broken', says, fix }] };
  }
}

async function examineRuntimes(
  { env, folder }: DoctorPlace,
  settings: Partial<Settings>,
): Promise<{
  readonly lines: readonly DoctorLine[];
  readonly containers: readonly DoctorLine[];
  readonly found: readonly string[];
}> {
  const catalog = await loadRuntimeCatalog({ env, home: homeFolder(env) }, settings);
  const record = signalRecord();
  const reports = await catalog.report();
  const usual = settings.runtime ?? 'claude';
  const lines = await Promise.all(
    reports.map(async (report) => {
      const { name } = report;
      const findings = report.found
        ? await catalog.thoroughFindings({ runtime: name, posture: {}, cwd: folder })
        : [];
      const installed = report.found
        ? ({ found: true, version: report.version } as const)
        : ({ found: false, missing: report.missing ?? 'It is not installed.' } as const);
      return agentLines({ name, isUsual: name === usual, installed, findings }, record);
    }),
  );
  const containers = await containerLines(catalog, settings);
  return {
    lines: lines.flat(),
    containers,
    found: reports.flatMap(({ name, found }) => (found ? [name] : [])),
  };
}

function signalRecord(): SignalRecord {
  return SignalRecord.parse(JSON.parse(readFileSync(new URL('docs/signals.json', packageRoot), 'utf8')));
}

async function withoutWorker(home: string): Promise<ExaminedWorker> {
  try {
    await workerAddress(home);
    return { state: 'none' };
  } catch (error) {
    return { state: 'unreadable', why: errorSentence(error) };
  }
}

async function examineWorker(home: string): Promise<ExaminedWorker> {
  const holder = holderOf(home);
  if (!holder) return await withoutWorker(home);
  const { pid } = holder;
  if (!(await answers(home))) return { state: 'silent', pid };
  const client = openClient({ HANDRAISE_HOME: home });
  try {
    const { version } = await client.health();
    const runtimes = (await client.runtimes()).flatMap(({ name, found }) => (found ? [name] : []));
    return { state: 'answers', pid, version, runtimes };
  } catch {
    return { state: 'silent', pid };
  }
}
