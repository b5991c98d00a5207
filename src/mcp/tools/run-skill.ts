import * as z from 'zod';
import { given } from '../../protocol/given.js';
import { SkillName } from '../../protocol/posture.js';
import { SkillFailure } from '../skill-failure.js';
import { toolLabel, workTool } from '../tool.js';
import { seconds, title, workspace, workText, worktree } from './arguments.js';
import { folderFor } from './dispatch.js';

/** The label that says which skill work is. */
export const skillLabel = 'mcp.skill';

const usualSeconds = 600;

/** Runs an executable of an approved project, or of the settings; its exit code decides. */
export const runSkillTool = workTool(
  {
    name: 'run_skill',
    title: 'Run a skill',
    description:
      'Runs a skill, which is an executable of the project’s folder skills/ or of the settings, and waits for its end. ' +
      'A skill that fails is an error with its exit code and whether it may work later.',
    input: z.strictObject({
      skill: SkillName,
      text: workText,
      workspace,
      worktree,
      title,
      seconds,
    }),
  },
  async (
    { skill, text, workspace: folder, worktree: isWorktree, seconds: wait = usualSeconds, ...more },
    call,
  ) => {
    const path = folderFor(folder, call);
    try {
      const dispatch = await call.client.dispatches.submit({
        text,
        labels: { [toolLabel]: 'run_skill', [skillLabel]: skill },
        workspace: { path, ...given({ worktree: isWorktree }) },
        posture: { skill },
        ...given({ title: more.title }),
      });
      return { dispatch, seconds: wait };
    } catch (error) {
      throw SkillFailure.refused(skill, error);
    }
  },
);
