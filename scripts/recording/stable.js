/**
 * What was seen, without what differs from run to run: folders, ports, ids, tokens, times, prices.
 * @param {string} seen
 * @param {string} root
 */
export function stable(seen, root) {
  /** @type {string[]} */
  const known = [];
  const name = (/** @type {string} */ kind, /** @type {string} */ rest) => {
    // A short id is the beginning of a whole one.
    const found = known.findIndex(
      (id) => id.startsWith(`${kind}_${rest}`) || `${kind}_${rest}`.startsWith(id),
    );
    const place = found < 0 ? known.push(`${kind}_${rest}`) - 1 : found;
    known[place] = [known[place] ?? '', `${kind}_${rest}`].toSorted((a, b) => b.length - a.length)[0] ?? '';
    const number = known.slice(0, place + 1).filter((id) => id.startsWith(kind)).length;
    return `${kind}_${String(number).padStart(2, '0')}`;
  };
  return (
    seen
      .replaceAll(root, '~')
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:7411')
      .replaceAll(/\b(?<kind>thr|dsp|prm|run)_(?<rest>[0-9a-z]{8,})/g, (_, kind, rest) => name(kind, rest))
      .replaceAll(/"pid":\d+/g, '"pid":12345')
      .replaceAll(/\bkill -9 \d+/g, 'kill -9 12345')
      .replaceAll(/\bhrt_[\w-]+/g, 'hrt_…')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-01T09:00:00.000Z')
      .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s|min)\b(?: \d+ s\b)?/g, '1 s')
      .replaceAll(/\$\d+\.\d+/g, '$0.10')
      .replaceAll(/\b[0-9a-f]{40}\b/g, '0123456789abcdef0123456789abcdef01234567')
      .replaceAll(/\bindex [0-9a-f]+\.\.[0-9a-f]+/g, 'index 0000000..1111111')
      // Said only where the work has not ended yet.
      .replaceAll(/^handraise: Waiting for .*\n/gm, '')
      .replaceAll(/#login=[\w-]+/g, '#login=…')
      .replaceAll(/^(?:THREAD|DISPATCH|OBSERVED|AT|TIME) {2,}.*\n(?:\S.* {2}.*\n)*/gm, aligned)
      .trim()
  );
}

/**
 * The columns of a table after its cells have changed.
 * @param {string} table
 */
function aligned(table) {
  const rows = table
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/**
 * What must be the same each time. Which of several signs of one status comes first is not: two lines of the same status
 * count as one, whatever their reasons.
 * @param {string} page
 */
export function essential(page) {
  const lines = page.split('\n').map((line) => line.replaceAll(/ {2,}/g, '  '));
  return lines
    .filter((line, place) => {
      const status = explained(line);
      return status === undefined || status !== explained(lines[place - 1] ?? '');
    })
    .map((line) => explained(line) ?? line);
}

/**
 * The status of a line of `status --explain`.
 * @param {string} line
 */
function explained(line) {
  return /^\d{4}-\S+Z {2}(\S \S+) {2}.+ {2}\S+, (?:authoritative|strong|weak|heuristic)$/.exec(line)?.[1];
}
