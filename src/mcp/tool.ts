import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Client } from '../client/client.js';
import type { TokenIdentity } from '../protocol/api.js';
import type { Dispatch } from '../protocol/dispatch.js';
import { Failure } from '../protocol/failure.js';
import { issueSentence, plainIssue } from '../protocol/plain-issue.js';
import type { AskedPerson } from './asked-person.js';

/** Where a call of a tool comes from, and what it may use. */
export interface McpCall {
  readonly client: Client;
  readonly identity: TokenIdentity;
  /** The folder that the program of the person works in; missing over HTTP. */
  readonly folder?: string;
  /** Reads the file of a pipeline as whoever started this program; missing over HTTP. */
  readonly readPipeline?: (name: string) => { readonly file: string; readonly source: string };
  /** Whoever sits at the other program, where that program can ask them. */
  readonly person: AskedPerson | null;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Tells the other program that the call is still worked on. */
  readonly progress: (words: string) => Promise<void>;
}

export interface ToolWords {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** A tool, with arguments that were not looked at yet. */
export type Tool = ToolWords & {
  readonly input: z.ZodObject;
  readonly isReading: boolean;
} & (
    | { readonly kind: 'look'; readonly run: (input: unknown, call: McpCall) => Promise<CallToolResult> }
    | {
        /** It gives work, which may take long: the call waits for its end, or it is a task. */
        readonly kind: 'work';
        readonly begin: (input: unknown, call: McpCall) => Promise<BegunWork>;
      }
  );

/** Work that a call has given, and for how long the call waits for its end. */
export interface BegunWork {
  readonly dispatch: Dispatch;
  readonly seconds: number;
}

/** A tool that tells something, or decides something at once. */
export function lookTool<Input extends z.ZodObject>(
  about: ToolWords & { readonly input: Input; readonly isReading: boolean },
  run: (input: z.infer<Input>, call: McpCall) => Promise<CallToolResult>,
): Tool {
  return { ...about, kind: 'look', run: (input, call) => run(checked(about.input, input), call) };
}

/** A tool that gives work. */
export function workTool<Input extends z.ZodObject>(
  about: ToolWords & { readonly input: Input },
  begin: (input: z.infer<Input>, call: McpCall) => Promise<BegunWork>,
): Tool {
  return {
    ...about,
    isReading: false,
    kind: 'work',
    begin: (input, call) => begin(checked(about.input, input), call),
  };
}

/** The label by which work of a tool is known again. */
export const toolLabel = 'mcp.tool';

function checked<Input extends z.ZodObject>(schema: Input, input: unknown): z.infer<Input> {
  const parsed = schema.safeParse(input, { error: plainIssue });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const isUnknown = keys.length > 0 && issue?.path.length === 0;
  const place = [...(issue?.path ?? []), ...keys].join('.') || 'arguments';
  const allowed = `There is no such argument here. Allowed: ${Object.keys(schema.shape).join(', ')}.`;
  throw new Failure('invalid', issueSentence(place, isUnknown ? allowed : issue?.message));
}
