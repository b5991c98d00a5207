import * as z from 'zod';

/** A file of a project's own code, as a person approved it. */
export const CodeFile = z.object({
  /** Relative to the workspace; a file of a folder above it begins with `../`. */
  path: z.string(),
  text: z.string(),
});
export type CodeFile = z.infer<typeof CodeFile>;

/** What a runner is handed instead of letting an agent read the project's own code. */
export const ProjectCodeFile = z.object({ files: z.array(CodeFile) });
export type ProjectCodeFile = z.infer<typeof ProjectCodeFile>;
