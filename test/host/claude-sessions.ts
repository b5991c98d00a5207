import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../harness/wait-until.js';
import type { HostStage } from './host-stage.js';

/** The files in which Claude Code has saved its sessions on this stage. */
export function sessionFiles(at: HostStage): string[] {
  const projects = join(at.stage.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects');
  return readdirSync(projects, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(projects, name));
}

/** Waits until the agent has saved something that it was told, or has said. */
export async function saved(at: HostStage, text: string, by: 'user' | 'assistant' = 'user'): Promise<void> {
  const isIt = (line: string) => line.includes(`"type":"${by}"`) && line.includes(text);
  await waitUntil('the session is saved so far', () =>
    sessionFiles(at).some((file) => readFileSync(file, 'utf8').split('\n').some(isIt)),
  );
}
