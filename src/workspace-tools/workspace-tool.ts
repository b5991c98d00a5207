import { z } from 'zod';
import { errnoOf } from '../process/files/errno.js';
import { RefusalError } from '../process/files/refusal.js';

/** What a tool call came to; `data` is plain JSON. */
export type ToolAnswer =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly error: string };

/** The call of a tool, as the runtime knows it. */
export interface CalledTool {
  readonly toolUseId: string;
  readonly agentId?: string | undefined;
  /** Nobody waits for the result any more. */
  readonly signal: AbortSignal;
}

/** One tool of the built-in MCP server, in a form that every runtime can plug in. */
export interface WorkspaceTool<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string;
  readonly description: string;
  /** Tool presets without writing keep the `read` tools only. */
  readonly access: 'read' | 'write';
  /** It asks a person before it does anything, so nobody is asked besides whether it may be called. */
  readonly asksItself?: boolean;
  readonly input: Shape;
  run(input: z.infer<z.ZodObject<Shape>>, call: CalledTool): Promise<ToolAnswer>;
}

interface ToolDefinition<Shape extends z.ZodRawShape> extends Omit<WorkspaceTool<Shape>, 'run'> {
  /** Gives the data of the answer, or throws a Refusal. */
  answer(input: z.infer<z.ZodObject<Shape>>, call: CalledTool): Promise<unknown>;
}

/** Makes a tool that checks its own input, because not every runtime checks it against the schema. */
export function defineTool<Shape extends z.ZodRawShape>(
  definition: ToolDefinition<Shape>,
): WorkspaceTool<Shape> {
  const { name, description, access, asksItself = false, input: shape } = definition;
  const schema: z.ZodObject<Shape> = z.object(shape);
  return {
    name,
    description,
    access,
    asksItself,
    input: shape,
    async run(input, call) {
      const parsed = schema.safeParse(input);
      if (!parsed.success) return { ok: false, error: z.prettifyError(parsed.error) };
      try {
        return { ok: true, data: await definition.answer(parsed.data, call) };
      } catch (error) {
        return { ok: false, error: sentenceOf(error, name) };
      }
    },
  };
}

function sentenceOf(error: unknown, tool: string): string {
  if (error instanceof RefusalError) return error.message;
  const errno = errnoOf(error);
  // A full disk or a missing right is an answer; anything else is a fault of ours and must stay visible.
  if (errno === undefined) throw error;
  return `${tool} failed: the system said ${errno}.`;
}
