import * as z from 'zod';
import type { Attachment } from '../../protocol/attachment.js';
import type { UsualContainer } from '../../protocol/container.js';
import type { ToolPreset } from '../../protocol/posture.js';
import type { ScheduleTimes } from '../schedules/schedule-request.js';
import type { Freedom } from './work-form.js';

/** What is typed into the box for new work. */
export const WorkWords = z.object({ text: z.string(), folder: z.string() });
export type WorkWords = z.infer<typeof WorkWords>;

export const noWords: WorkWords = { text: '', folder: '' };

/** What is chosen beside it. */
export interface WorkChoices {
  readonly runtime: string;
  readonly worktree: boolean;
  /** Undefined leaves it at what the settings say. */
  readonly container: boolean | undefined;
  readonly image: string;
  readonly freedom: Freedom;
  readonly model: string;
  readonly tools: ToolPreset;
  /** The program, where the runtime is any program. */
  readonly command: string;
  /** A command of the project or of the settings, in place of an agent. */
  readonly skill: string;
  readonly budget: string;
  readonly attachments: readonly Attachment[];
  /** When it is given again and again; undefined starts it once, now. */
  readonly times: ScheduleTimes | undefined;
}

export const usualChoices: WorkChoices = {
  runtime: 'claude',
  worktree: false,
  container: undefined,
  image: '',
  freedom: 'ask',
  model: '',
  tools: 'full',
  command: '',
  skill: '',
  budget: '',
  attachments: [],
  times: undefined,
};

/** The box for new work as it is filled in. */
export type WorkForm = WorkWords & WorkChoices;

// Of a worker that says nothing of containers.
export const noUsual: UsualContainer = { isRule: false };

export function isContained({ container }: Pick<WorkForm, 'container'>, usual = noUsual): boolean {
  return container ?? usual.isRule;
}
