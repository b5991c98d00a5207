import { appendFileSync } from 'node:fs';
import * as z from 'zod';
import { readBoundedFile } from '../../process/files/bounded-file.js';

// Longer than any session; an agent can write to its own.
const mostBytes = 256 * 2 ** 20;

const Note = z.object({ type: z.literal('last-prompt'), leafUuid: z.string(), sessionId: z.string() });
const Link = z.object({
  uuid: z.string(),
  parentUuid: z.string().nullable(),
  isSidechain: z.literal(false),
  attachment: z.object({ type: z.string() }).optional(),
});
type Link = z.infer<typeof Link>;

/**
 * Says in a session's file where the session ends. Claude Code writes that down now and then, and resumes from there.
 * A call that was deferred leaves a note that points beside the call, while its answer follows the call itself; so an
 * agent that was woken by an answer and then killed would forget everything since the call (measured, 2.1.325).
 */
export function noteSessionEnd(file: string): void {
  const read = readBoundedFile(file, { limit: mostBytes, followLink: false });
  if (!read.ok) return;
  const lines = read.text.split('\n');
  const note = parsed(
    Note,
    lines.findLast((line) => line.includes('"last-prompt"')),
  );
  const links = new Map(lines.flatMap((line) => parsed(Link, line) ?? []).map((link) => [link.uuid, link]));
  const end = [...links.values()].at(-1);
  if (!note || !end) return;
  const chain = new Set(upwards(end.uuid, links));
  const beside = upwards(note.leafUuid, links).filter((link) => !chain.has(link));
  if (!beside.some(({ attachment }) => attachment?.type === 'hook_deferred_tool')) return;
  const entry = { ...note, leafUuid: end.uuid, lastPrompt: '' };
  appendFileSync(file, `${lines.at(-1) === '' ? '' : '\n'}${JSON.stringify(entry)}\n`);
}

/** An entry and everything that came before it. */
function upwards(uuid: string, links: ReadonlyMap<string, Link>): Link[] {
  const found = new Set<Link>();
  for (let at = links.get(uuid); at && !found.has(at); at = links.get(at.parentUuid ?? '')) found.add(at);
  return [...found];
}

function parsed<Shape extends z.ZodType>(shape: Shape, line: string | undefined): z.infer<Shape> | null {
  if (line === undefined || line === '') return null;
  try {
    const read = shape.safeParse(JSON.parse(line));
    return read.success ? read.data : null;
  } catch {
    // A process that was killed may have left half a line.
    return null;
  }
}
