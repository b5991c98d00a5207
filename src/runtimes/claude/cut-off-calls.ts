import * as z from 'zod';
import { canonicalJson } from '../../domain/prompts/fingerprint.js';
import { sessionLines } from '../session-lines.js';

const Entry = z.looseObject({ message: z.looseObject({ content: z.array(z.unknown()) }) });
const Call = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});
const Result = z.looseObject({ type: z.literal('tool_result'), tool_use_id: z.string() });

/** A call of a tool. */
interface ToolUse {
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

/**
 * The calls of MCP servers' tools that the last process of a session did not live to see the end of. What they had done
 * by then is known to nobody; the same call, made again, is put to a person once.
 */
export class CutOffCalls {
  readonly #keys: Promise<Set<string>>;

  constructor(sessionFile: string | null) {
    this.#keys = sessionFile === null ? Promise.resolve(new Set()) : cutOffIn(sessionFile);
  }

  async has(call: ToolUse): Promise<boolean> {
    return call.tool.startsWith('mcp__') && (await this.#keys).has(keyOf(call));
  }

  /** Somebody has decided about it. */
  async forget(call: ToolUse): Promise<void> {
    (await this.#keys).delete(keyOf(call));
  }
}

function keyOf({ tool, input }: ToolUse): string {
  return canonicalJson({ tool, input });
}

async function cutOffIn(file: string): Promise<Set<string>> {
  const open = new Map<string, string>();
  for await (const line of sessionLines(file)) {
    for (const block of blocksIn(line)) {
      const call = Call.safeParse(block);
      const result = Result.safeParse(block);
      if (call.success && call.data.name.startsWith('mcp__'))
        open.set(call.data.id, keyOf({ tool: call.data.name, input: call.data.input }));
      if (result.success) open.delete(result.data.tool_use_id);
    }
  }
  return new Set(open.values());
}

/** The last line may be cut. */
function blocksIn(line: string): unknown[] {
  try {
    return Entry.safeParse(JSON.parse(line)).data?.message.content ?? [];
  } catch {
    return [];
  }
}
