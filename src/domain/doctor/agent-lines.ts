import type { Finding } from '../preflight/finding.js';
import type { DoctorLine } from './doctor-line.js';
import { type SignalRecord, signalSentence } from './signal-record.js';

/** What was found of one runtime. */
export interface ExaminedRuntime {
  readonly name: string;
  /** Whether work gets it where it names none. */
  readonly isUsual: boolean;
  readonly installed:
    | { readonly found: true; readonly version?: string | undefined }
    | { readonly found: false; readonly missing: string };
  readonly findings: readonly Finding[];
}

/** The lines of one runtime: one that is well, or one for each thing to mend; only the usual one has to be there. */
export function agentLines(runtime: ExaminedRuntime, record: SignalRecord): readonly DoctorLine[] {
  const { name, installed, findings, isUsual } = runtime;
  const line = { part: 'Agents', name } as const;
  if (!installed.found) {
    const { says, fix } = missingWords(installed.missing, 'See docs/runtimes.md.');
    return [{ ...line, state: isUsual ? 'broken' : 'absent', says, fix }];
  }
  const { version } = installed;
  const signals = signalSentence(record, { name, version });
  const says = [version ?? 'there', signals].filter((word) => word !== null).join('; ');
  const stopping = findings.filter(({ stops }) => stops !== undefined);
  const fix = isOtherVersion(signals)
    ? 'Watch its first work, or install the version that was tested.'
    : isSilent(signals)
      ? 'Ask it yourself with --version. If it fails, install it again.'
      : undefined;
  const first: readonly DoctorLine[] = [
    fix === undefined ? { ...line, state: 'good', says } : { ...line, state: 'warns', says, fix },
  ];
  return [
    ...(stopping.length > 0 ? [] : first),
    ...findings.map((finding) => ({
      ...line,
      state: finding.stops !== undefined && isUsual ? ('broken' as const) : ('warns' as const),
      ...findingWords(finding),
    })),
  ];
}

function isOtherVersion(signals: string | null): boolean {
  return signals?.endsWith('was not tested') ?? false;
}

/** A program that is broken is there, too, and says nothing. */
function isSilent(signals: string | null): boolean {
  return signals?.endsWith('does not tell its version') ?? false;
}

/** A finding without a fix of its own may say it at the end of its sentence. */
function findingWords({ problem, fix }: Finding): Pick<DoctorLine, 'says' | 'fix'> {
  if (fix !== '') return { says: problem, fix };
  const words = missingWords(problem, '');
  return words.fix === '' ? { says: problem } : words;
}

/** Adapters say what is missing and then what to do, in one text. */
export function missingWords(
  missing: string,
  otherwise: string,
): { readonly says: string; readonly fix: string } {
  const cut = missing.search(/(?<=[.:]) (Install|Correct|Remove|Add|Name|Say|Build|Start)\b/);
  return cut < 0
    ? { says: missing, fix: otherwise }
    : { says: missing.slice(0, cut), fix: missing.slice(cut + 1) };
}
