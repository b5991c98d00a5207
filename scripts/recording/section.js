import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { essential } from './stable.js';

/**
 * Puts what was recorded between two lines of a page that names the script; with `--check` it only says whether the page
 * still shows what happens.
 * @param {URL} page
 * @param {{ script: string, recorded: string }} recording
 */
export async function writeSection(page, { script, recorded }) {
  const name = `docs/${basename(page.pathname)}`;
  const begin = `<!-- Recorded by scripts/${script}. -->`;
  const end = '<!-- End of the recording. -->';
  const before = await readFile(page, 'utf8');
  const head = before.indexOf(begin);
  const rest = before.indexOf(end, head);
  if (head < 0 || rest < 0) throw new Error(`${name} has no place for the recording.`);
  const text = `${before.slice(0, head)}${begin}\n\n${recorded.trim()}\n\n${before.slice(rest)}`;
  if (!process.argv.includes('--check')) {
    await writeFile(page, text);
    console.log(`${name}: ${before === text ? 'unchanged' : 'written'}`);
    return;
  }
  const [shown, seen] = [essential(before), essential(text)];
  const first = Array.from({ length: Math.max(shown.length, seen.length) }).findIndex(
    (_, place) => seen[place] !== shown[place],
  );
  if (first < 0) return;
  console.error(
    `${name} shows\n  ${shown[first]}\nbut this happens:\n  ${seen[first]}\nIf that is right: node scripts/${script}`,
  );
  process.exitCode = 1;
}
