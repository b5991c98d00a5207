import * as z from 'zod';

/** A command that a project offers, with the name a person sees. */
export const WorkspaceScript = z.object({
  name: z.string().min(1).max(200),
  command: z.string().min(1).max(10_000),
});
export type WorkspaceScript = z.infer<typeof WorkspaceScript>;

/** Files that a new worktree gets from the checkout that it comes from, relative to the folder of the settings. */
const CopiedFiles = z.array(z.string().min(1).max(500)).max(50);

/** How many ports in a row a worktree gets for itself. */
const PortCount = z.int().min(1).max(100);

/** What a project wants run: at a workspace's start, on request, and at events; and what a worktree of it needs. */
export const ScriptsConfig = z.looseObject({
  setupScripts: z.array(WorkspaceScript).max(50).default([]),
  runScripts: z.record(z.string(), WorkspaceScript).default({}),
  hooks: z.record(z.string(), z.string()).default({}),
  autoSetup: z.boolean().default(false),
  copyFiles: CopiedFiles.optional(),
  ports: PortCount.optional(),
});
export type ScriptsConfig = z.infer<typeof ScriptsConfig>;

/** What a worktree of a repository needs, where its user says so and not the project: so the command needs no approval. */
export const WorktreeDefaults = z.strictObject({
  setup: z.string().min(1).max(10_000).optional(),
  copyFiles: CopiedFiles.optional(),
  ports: PortCount.optional(),
});
export type WorktreeDefaults = z.infer<typeof WorktreeDefaults>;

/** The ports that worktrees get theirs from. */
export const PortRange = z
  .strictObject({ from: z.int().min(1024).max(65_535), to: z.int().min(1024).max(65_535) })
  .refine(({ from, to }) => from <= to);
export type PortRange = z.infer<typeof PortRange>;

/** Below those that Linux and macOS give to connections. */
export const defaultPortRange: PortRange = { from: 20_000, to: 29_999 };
