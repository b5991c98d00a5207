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
export async function openPullRequestStage(settings: Partial<HostSettings> = {}): Promise<PullRequestStage> {
  const stage = await openLandingStage(settings);
  const bare = join(stage.repository, '..', 'engine.git');
  mkdirSync(bare);
  const remote = (...args: string[]) => stage.gitIn(bare, ...args);
  remote('init', '--quiet', '--bare', '--initial-branch=main');
  stage.git('remote', 'add', 'origin', address);
  stage.git('config', '--global', `url.${bare}.pushInsteadOf`, address);
  stage.git('push', '--quiet', 'origin', 'main');
  const gh = new ScriptedGh(join(stage.repository, '..'));
  const env: Record<string, string> = stage.at.stage.env;
  env['PATH'] = `${gh.folder}:${env['PATH']}`;
  await stage.at.leave();
  await stage.at.open();
  return { ...stage, bare, gh, remote };
}
