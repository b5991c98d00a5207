import type { Finding } from '../domain/preflight/finding.js';
import type { LivingSession } from '../domain/status/living-session.js';
import { ProgramVersions } from '../process/children/program-version.js';
import type { RuntimeReport } from '../protocol/api.js';
import type { CommandType } from '../protocol/command.js';
import { Failure } from '../protocol/failure.js';
import type { Posture, RuntimeName, SettingSource } from '../protocol/posture.js';
import { checkedLaunch } from './checked-launch.js';
import type { ContainerCatalog } from './container-catalog.js';
import { preflightFindings, thoroughFindings, type WantedStart } from './preflight.js';
import type { Capabilities, EndedSessionPlace, RuntimeProfile } from './runtime.js';
import { runtimeReport } from './runtime-report.js';
import { RuntimeTerminals } from './runtime-terminals.js';
import { expectSupported, unknownRuntime } from './supported.js';

/** Where the runtimes are looked for. */
interface RuntimePlace extends Pick<WantedStart, 'home' | 'env' | 'packageFolder'> {
  /** Whose settings agents read, where their work does not say. */
  readonly settingSources: readonly SettingSource[];
  readonly containers: ContainerCatalog;
  /** The program of runners. */
  readonly runner: string;
}

type Start = Pick<WantedStart, 'posture' | 'cwd' | 'projectFiles'> & { readonly runtime: RuntimeName };

/** The runtimes that are built, as this machine has them; none is loaded. */
export class InstalledRuntimes {
  readonly terminals: RuntimeTerminals;
  readonly #profiles: readonly RuntimeProfile[];
  readonly #place: RuntimePlace;
  readonly #versions: ProgramVersions;

  constructor(profiles: readonly RuntimeProfile[], place: RuntimePlace) {
    this.#profiles = profiles;
    this.#place = place;
    this.#versions = new ProgramVersions(place.env);
    this.terminals = new RuntimeTerminals(profiles, place);
  }

  /** Throws a Failure when the runtime cannot be launched so, before anything is started. */
  checkLaunch(runtime: RuntimeName, posture: Posture): void {
    const profile = this.#profileOf(runtime);
    if (!profile) throw unknownRuntime(runtime);
    this.expectInstalled(runtime, posture);
    if (posture.command !== undefined && runtime !== 'exec' && posture.command !== profile.command)
      throw new Failure('invalid', `posture.command works only with the runtime exec, not with ${runtime}.`);
    const launch = checkedLaunch(posture, this.#place.env, this.#place.containers.of(runtime, posture));
    expectSupported(runtime, profile.capabilities, launch);
    profile.check(launch);
  }

  expectInstalled(runtime: RuntimeName, posture: Posture): void {
    const { env, packageFolder, containers } = this.#place;
    // In a container it is the image's.
    if (containers.of(runtime, posture)) return;
    const found = this.#profileOf(runtime)?.installed({ env: { ...env, ...posture.env }, packageFolder });
    if (found?.found === false) throw new Failure('not_installed', found.missing);
  }

  async findings({ runtime, ...start }: Start): Promise<readonly Finding[]> {
    const profile = this.#profileOf(runtime);
    return profile ? await preflightFindings(profile, this.#wanted(start)) : [];
  }

  async thoroughFindings({ runtime, ...start }: Start): Promise<readonly Finding[]> {
    const profile = this.#profileOf(runtime);
    return profile ? await thoroughFindings(profile, this.#wanted(start)) : [];
  }

  commandOf(runtime: RuntimeName): string | undefined {
    return this.#profileOf(runtime)?.command;
  }

  can(runtime: RuntimeName, ability: BooleanAbility): boolean {
    return this.#profileOf(runtime)?.capabilities[ability] ?? false;
  }

  obeys(runtime: RuntimeName, command: CommandType): boolean {
    return this.#profileOf(runtime)?.capabilities.commands.includes(command) ?? false;
  }

  /** It is handed on without its owner. */
  readonly savedSession = async ({
    runtime,
    posture,
    ...session
  }: Omit<EndedSessionPlace, 'env'> & { readonly runtime: RuntimeName; readonly posture: Posture }) => {
    // These are read by starting the agent, which must not happen outside of its container.
    if (posture.container && runtime.startsWith('acp:')) return undefined;
    const env = this.#place.containers.placeOf(runtime, posture);
    return await this.#profileOf(runtime)?.savedSession?.({ ...session, env });
  };

  livingSessions(now: number): readonly LivingSession[] {
    const { env } = this.#place;
    return this.#profiles.flatMap(({ livingSessions }) => [...(livingSessions?.look({ env, now }) ?? [])]);
  }

  async expectImage(posture: Posture): Promise<void> {
    await this.#place.containers.expectImage(posture);
  }

  async sweepContainers(posture: Posture): Promise<void> {
    await this.#place.containers.sweep(posture);
  }

  async report(): Promise<readonly RuntimeReport[]> {
    const place = { ...this.#place, versions: this.#versions };
    return await Promise.all(this.#profiles.map(async (profile) => await runtimeReport(profile, place)));
  }

  #profileOf(runtime: RuntimeName): RuntimeProfile | undefined {
    return this.#profiles.find(({ name }) => name === runtime);
  }

  #wanted({ posture, ...start }: Omit<Start, 'runtime'>): WantedStart {
    const { home, env, packageFolder, settingSources } = this.#place;
    return {
      ...start,
      posture: { settingSources: [...settingSources], ...posture },
      home,
      env,
      packageFolder,
    };
  }
}

type BooleanAbility = {
  [Key in keyof Capabilities]: Capabilities[Key] extends boolean ? Key : never;
}[keyof Capabilities];
