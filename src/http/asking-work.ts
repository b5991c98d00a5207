import * as z from 'zod';
import { ThreadId } from '../protocol/id.js';

export const workAttachments = z
  .array(
    z.discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('image'),
        mediaType: z.string(),
        data: z.string(),
        name: z.string().optional(),
      }),
      // Its content comes along; the path is only what it is called.
      z.strictObject({
        type: z.literal('file'),
        path: z.string(),
        content: z.string(),
        name: z.string().optional(),
      }),
    ]),
  )
  .optional();

const fields = {
  text: z.string(),
  title: z.string().optional(),
  priority: z.int().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  thread: ThreadId.optional(),
  // Runtimes whose agents ask before they act.
  runtime: z.enum(['claude', 'codex', 'opencode']).optional(),
  permissions: z.literal('approval').optional(),
  posture: z.strictObject({ model: z.string().optional() }).optional(),
  attachments: workAttachments,
};

/** Work that a person is asked about, as a token of scope agent may give it. */
export const workOfAgents = z.strictObject({
  ...fields,
  workspace: z.strictObject({ path: z.string(), worktree: z.boolean().optional() }).optional(),
});

/** The same as somebody may give it who may not approve: nothing that runs unasked, and nothing that lands by itself. */
export const workOfDispatchers = z.strictObject({
  ...fields,
  workspace: z
    .strictObject({
      path: z.string(),
      worktree: z.boolean().optional(),
      branch: z.string().optional(),
      includeChanges: z.boolean().optional(),
    })
    .optional(),
  name: z.unknown().optional(),
  on: z.unknown().optional(),
  retries: z.unknown().optional(),
  timeoutSeconds: z.unknown().optional(),
  budget: z.unknown().optional(),
  threadBudget: z.unknown().optional(),
  notBefore: z.unknown().optional(),
  noInput: z.unknown().optional(),
  unanswered: z.unknown().optional(),
});

/** The first field of a body that a schema does not allow, by its path. */
export function strayField(schema: z.ZodType, body: unknown): string | undefined {
  const [issue] = schema.safeParse(body).error?.issues ?? [];
  if (!issue) return undefined;
  const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return [...issue.path, ...keys].join('.') || 'this body';
}
