const mostIssues = 3;

/** What an error of unknown origin says. */
export function errorSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const issues = issuesOf(error);
  return issues.length === 0
    ? error.message
    : `Something has another form than expected: ${issues.join('; ')}`;
}

/** What a schema has found, whose own message is JSON; told by its form, so that nobody loads the schemas to say a sentence. */
function issuesOf(error: Error): string[] {
  if (!error.name.endsWith('ZodError') || !('issues' in error) || !Array.isArray(error.issues)) return [];
  return error.issues.slice(0, mostIssues).flatMap(sentenceOf);
}

function sentenceOf(issue: unknown): string[] {
  if (typeof issue !== 'object' || issue === null || !('message' in issue)) return [];
  const place = 'path' in issue && Array.isArray(issue.path) ? issue.path.map(String).join('.') : '';
  return [place === '' ? String(issue.message) : `${place}: ${String(issue.message)}`];
}
