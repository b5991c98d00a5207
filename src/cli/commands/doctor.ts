import type { Command } from 'commander';
import { type DoctorLine, isSick } from '../../domain/doctor/doctor-line.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { ExitCode } from '../../protocol/exit-code.js';
import { examine } from '../doctor/examine.js';
import { seenJson, writeLine } from '../output.js';
import { type Colours, coloursOf } from '../terminal/colours.js';

/** `handraise doctor`: how the installation stands, with a fix for each thing that is wrong. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .summary('check the installation')
    .description(
      'Looks at the whole installation: what is installed, settings, home, worker, and each agent with its version, its login and which ' +
        'of its signals were tested with that version. Says for each thing that is wrong how to mend it. Changes nothing.\n\n' +
        'Exit codes: 0 nothing has to be mended, 1 something has to.',
    )
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise doctor\n')
    .action(doctor);
}

async function doctor({ json }: { readonly json?: true }): Promise<void> {
  const lines = await examine({ env: process.env, folder: process.cwd() });
  if (isSick(lines)) process.exitCode = ExitCode.failure;
  if (json) return writeLine(seenJson({ ok: !isSick(lines), lines }));
  for (const line of page(lines, coloursOf(process.stdout))) writeLine(line);
}

const marks = { good: '✓', warns: '!', broken: '✗', absent: '·' } as const;

function page(lines: readonly DoctorLine[], colours: Colours): string[] {
  const width = Math.max(...lines.map(({ name }) => name.length));
  const parts = [...new Set(lines.map(({ part }) => part))];
  const shown = parts.flatMap((part, index) => [
    ...(index > 0 ? [''] : []),
    colours.bold(part),
    ...lines.filter((line) => line.part === part).flatMap((line) => lineRows(line, { width, colours })),
  ]);
  const broken = lines.filter(({ state }) => state === 'broken').length;
  const verdict =
    broken === 0
      ? 'Nothing has to be mended.'
      : `${broken} ${broken === 1 ? 'thing has' : 'things have'} to be mended.`;
  return [...shown, '', verdict];
}

function lineRows(
  { name, state, says, fix }: DoctorLine,
  { width, colours }: { readonly width: number; readonly colours: Colours },
): string[] {
  const paint = {
    good: colours.green,
    warns: colours.yellow,
    broken: colours.red,
    absent: colours.dim,
  }[state];
  const row = `${paint(marks[state])} ${name.padEnd(width)}  ${plainLine(says)}`;
  return fix === undefined ? [row] : [row, `  ${' '.repeat(width)}  → ${plainLine(fix)}`];
}
