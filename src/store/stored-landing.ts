import * as z from 'zod';
import { PromptId } from '../protocol/id.js';
import { Landing } from '../protocol/landing.js';

/** A branch that moves from one commit to another, and from nowhere else. */
const RefMove = z.object({ ref: z.string(), from: z.string(), to: z.string() });
export type RefMove = z.infer<typeof RefMove>;

/** A branch that is pushed, and the pull request that is then open for it, where one is wanted. */
const PushPlan = z.object({
  places: z.object({
    top: z.string(),
    gitDir: z.string(),
    commonDir: z.string(),
    objects: z.string(),
    index: z.string(),
    objectFormat: z.string(),
  }),
  /** What the repository calls the remote. */
  remote: z.string(),
  /** As the repository has it: what the user's own config makes of it may have a password in it. */
  url: z.string(),
  branch: z.string(),
  commit: z.string(),
  base: z.string(),
  title: z.string(),
  body: z.string(),
  isDraft: z.boolean(),
  /** Nobody is asked to take it in. */
  isPushOnly: z.boolean().optional(),
  /** A hook, which does not run, would upload files of it elsewhere. */
  hasLfs: z.boolean(),
});
export type PushPlan = z.infer<typeof PushPlan>;

/** A hook that a person has approved, to be run where the files have moved. */
const HookPlan = z.object({ path: z.string(), digest: z.string(), top: z.string() });
export type HookPlan = z.infer<typeof HookPlan>;

/** What is done to a repository, written down before it is begun, so that whoever comes later can finish it. */
export const LandingPlan = z.object({
  /** The git directory of the repository. */
  gitDir: z.string(),
  /** The checkout that moves with it: its index and files. */
  checkout: z.object({ top: z.string(), from: z.string(), to: z.string() }).optional(),
  /** The branch that takes the work in. */
  target: RefMove.optional(),
  /** The agent's own branch, on which its work is saved, and the worktree that has it. */
  work: RefMove.extend({ top: z.string() }).optional(),
  /** The last commit of the work that is landed with it. */
  landed: z.string().optional(),
  /** Where the work is kept after its worktree is gone. */
  keep: z.object({ ref: z.string(), commit: z.string() }).optional(),
  push: PushPlan.optional(),
  postMerge: HookPlan.optional(),
  /** The landing that this one takes back. */
  undoes: z.string().optional(),
});
export type LandingPlan = z.infer<typeof LandingPlan>;

/** How far the watch over a pull request is. */
const RequestWatch = z.object({
  /** How often the agent is told what is new before a person is asked, and how often it was since. */
  limit: z.int(),
  rounds: z.int(),
  /** How often in all; it names the work. */
  count: z.int(),
  /** What the agent has heard, each by its key. */
  told: z.array(z.string()),
  /** Since when there is something to tell. */
  newsSince: z.string().optional(),
  /** What the agent is just being told. */
  telling: z.object({ text: z.string(), keys: z.array(z.string()) }).optional(),
  /** A person is asked whether to go on. */
  promptId: PromptId.optional(),
  /** What that person said to the agent. */
  words: z.string().optional(),
  /** Why the last look failed. */
  trouble: z.string().optional(),
});
export type RequestWatch = z.infer<typeof RequestWatch>;

/** A landing with what only the host needs to know about it. */
export const StoredLanding = Landing.extend({
  plan: LandingPlan.optional(),
  watch: RequestWatch.optional(),
});
export type StoredLanding = z.infer<typeof StoredLanding>;
