import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PipelineDetail, PipelinePhase, PipelineRequest } from '../../../src/protocol/pipeline.js';
import { eventually } from '../../harness/wait-until.js';
import { type HostStage, owner } from '../host-stage.js';

/** Pipelines on a host stage, in one folder, whose phases write lines into the file `log`. */
export class PipelineStage {
  readonly at: HostStage;
  readonly folder: string;

  constructor(at: HostStage) {
    this.at = at;
    this.folder = at.folder();
  }

  /** An executable of `skills/`, approved by the next call of `approve`. */
  skill(name: string, script: string): void {
    mkdirSync(join(this.folder, 'skills'), { recursive: true });
    writeFileSync(join(this.folder, 'skills', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(this.folder, 'skills', name), 0o755);
  }

  async approveSkills(): Promise<void> {
    const { skills } = await this.at.host.projectCode.inspect(this.folder);
    await this.at.host.projectCode.approve(this.folder, { digest: skills?.digest ?? '', actor: owner });
  }

  /** Runs phases; without a file nobody has to approve them. */
  async run(phases: string, more: Partial<PipelineRequest> = {}): Promise<PipelineDetail> {
    const { pipeline } = await this.at.host.pipelines.create(
      { source: `phases:\n${phases}`, workspace: { path: this.folder }, ...more },
      owner,
    );
    return pipeline;
  }

  /** The run once it is so. */
  async seen(
    { id }: Pick<PipelineDetail, 'id'>,
    what: string,
    isSo: (pipeline: PipelineDetail) => boolean,
  ): Promise<PipelineDetail> {
    return await eventually(what, async () => await this.at.host.pipelines.get(id), isSo);
  }

  async ended(pipeline: Pick<PipelineDetail, 'id'>): Promise<PipelineDetail> {
    return await this.seen(pipeline, 'the pipeline has ended', ({ state }) => state === 'ended');
  }

  /** What the phases wrote. */
  lines(): string[] {
    try {
      return readFileSync(join(this.folder, 'log'), 'utf8').trim().split('\n');
    } catch {
      return [];
    }
  }
}

/** How every phase ended. */
export function results({ phases }: { readonly phases: readonly PipelinePhase[] }): Record<string, string> {
  return Object.fromEntries(phases.map(({ key, result, state }) => [key, result ?? state]));
}
