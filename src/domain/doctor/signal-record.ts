import * as z from 'zod';

/** What the contract suite found with the real program of each runtime; made by scripts/signals.js. */
export const SignalRecord = z.object({
  runtimes: z.record(
    z.string(),
    z.object({
      /** The version that it ran with; null where a stand-in, or any command, took its place. */
      version: z.string().nullable(),
      works: z.array(z.string()),
      fails: z.array(z.string()),
    }),
  ),
});
export type SignalRecord = z.infer<typeof SignalRecord>;

/** What is known of the signals of a runtime in the version that is installed, as a sentence. */
export function signalSentence(
  record: SignalRecord,
  { name, version }: { readonly name: string; readonly version: string | undefined },
): string | null {
  const known = Object.hasOwn(record.runtimes, name) ? record.runtimes[name] : undefined;
  if (!known) return null;
  const { works, fails } = known;
  const how = `${works.length} of ${works.length + fails.length} signals work`;
  const failing = fails.length === 0 ? '' : ` (not: ${fails.join(', ')})`;
  if (known.version === null) return `${how}${failing}, tested with a stand-in for its program`;
  if (version === undefined) return `${how}${failing} with ${known.version}; it does not tell its version`;
  if (version === known.version) return `${how}${failing}, tested with this version`;
  return `${how}${failing} with ${known.version}; ${version} was not tested`;
}
