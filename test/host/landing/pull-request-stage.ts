import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { HostSettings } from '../../../dist/compose.js';
import { type LandingStage, openLandingStage } from './landing-stage.js';
import { ScriptedGh } from './scripted-gh.js';

export const address = 'https://github.com/ada/engine.git';

export interface PullRequestStage extends LandingStage {
  readonly bare: string;
  readonly gh: ScriptedGh;
  readonly remote: (...args: string[]) => string;
}

/** A repository whose remote is GitHub by name and a bare repository in fact, by the user's own git config. */
export async function openRemoteStage(given: {
  readonly settings?: Partial<HostSettings>;
  readonly address?: string;
  /** The folder of the programs that are found first. */
  readonly programsIn: (place: string) => string;
}) {
  const { settings, address: at = address, programsIn } = given;
  const stage = await openLandingStage(settings);
  const place = join(stage.repository, '..');
  const bare = join(place, 'engine.git');
  mkdirSync(bare);
  const remote = (...args: string[]) => stage.gitIn(bare, ...args);
  remote('init', '--quiet', '--bare', '--initial-branch=main');
  stage.git('remote', 'add', 'origin', at);
  stage.git('config', '--global', `url.${bare}.pushInsteadOf`, at);
  stage.git('push', '--quiet', 'origin', 'main');
  const env: Record<string, string> = stage.at.stage.env;
  env['PATH'] = `${programsIn(place)}:${env['PATH']}`;
  await stage.at.leave();
  await stage.at.open();
  return { ...stage, bare, remote };
}

/** The same, with a scripted `gh`. */
export async function openPullRequestStage(settings: Partial<HostSettings> = {}): Promise<PullRequestStage> {
  let gh: ScriptedGh | undefined;
  const stage = await openRemoteStage({
    settings,
    programsIn: (place) => {
      gh = new ScriptedGh(place);
      return gh.folder;
    },
  });
  if (!gh) throw new Error('no gh was scripted');
  return { ...stage, gh };
}
