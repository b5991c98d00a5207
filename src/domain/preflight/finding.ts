import { Failure, type FailureCode } from '../../protocol/failure.js';

/** What is looked at before an agent is started, in the order in which it is told. */
export const checkSubjects = [
  'program',
  'settings',
  'login',
  'workspace',
  'project',
  'mcp_servers',
  'ask_rules',
  'memory',
  'disk',
  'proxy',
] as const;
export type CheckSubject = (typeof checkSubjects)[number];

/** The ways in which a start can be refused. */
export type StopCode = Extract<
  FailureCode,
  'not_installed' | 'not_ready' | 'no_permission' | 'config' | 'missing_file'
>;

/** Something that is not as it should be, and what to do about it; both are sentences. */
export interface Finding {
  readonly subject: CheckSubject;
  readonly problem: string;
  readonly fix: string;
  /** Why an agent cannot be started so; left out where it can, and the thread says it. */
  readonly stops?: StopCode;
}

/** What follows from findings: one refusal that names all that stops a start, else what the thread is told. */
export interface PreflightVerdict {
  readonly refusal: Failure | null;
  readonly notices: readonly string[];
}

/** The first subject in the order of the table gives the refusal its code. */
export function preflightVerdict(findings: readonly Finding[]): PreflightVerdict {
  const sorted = findings.toSorted(
    (one, other) => checkSubjects.indexOf(one.subject) - checkSubjects.indexOf(other.subject),
  );
  const [first, ...others] = sorted.filter(({ stops }) => stops !== undefined);
  const notices = sorted.filter(({ stops }) => stops === undefined).map(findingSentence);
  if (first?.stops === undefined) return { refusal: null, notices };
  const message = [first, ...others].map(findingSentence).join(' ');
  return { refusal: new Failure(first.stops, message), notices };
}

/** What is wrong and what to do, in one breath. */
function findingSentence({ problem, fix }: Pick<Finding, 'problem' | 'fix'>): string {
  return fix === '' ? problem : `${problem} ${fix}`;
}
