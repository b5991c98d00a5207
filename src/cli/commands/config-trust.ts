import { resolve } from 'node:path';
import type { ProjectCodeReport } from '../../protocol/api.js';
import { ExitCode } from '../../protocol/exit-code.js';
import { writeJson, writeLine, writeMessage } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { readTypedLine } from '../terminal/keyboard.js';
import { projectCodeLines, setupLines, skillLines } from '../view/project-code-lines.js';
import { openClient } from '../worker-address.js';

interface TrustOptions {
  readonly yes?: true;
  readonly json?: true;
}

/** Shows the files of a project that may start programs, and approves exactly them. */
export async function trust(folder: string, { yes, json }: TrustOptions): Promise<void> {
  const client = openClient();
  const path = resolve(folder);
  const found = await client.projectCode(path);
  if (!json) show(found);
  const { files, setup, skills } = found;
  const open = [
    ...(files.length > 0 && !found.approved ? [found.digest] : []),
    ...(setup && !setup.approved ? [setup.digest] : []),
    ...(skills && !skills.approved ? [skills.digest] : []),
  ];
  if (open.length === 0) {
    writeMessage(
      files.length > 0 || setup || skills
        ? 'You have already approved these files as they are.'
        : 'There is nothing to approve: this project has no such files.',
    );
    if (json) writeJson(found);
    return;
  }
  if (!yes && !(await agrees())) {
    writeMessage(
      `Not approved: agents run without these files, and no pipeline runs its commands. Approve them with: handraise config trust ${folder} --yes`,
    );
    if (json) writeJson(found);
    process.exitCode = ExitCode.blocked;
    return;
  }
  // The digests are those of the files just shown: what changed meanwhile is refused.
  let approved = found;
  for (const digest of open) approved = await client.approveProjectCode(path, digest);
  writeMessage('Approved as they are. If a file changes, you are asked again.');
  if (json) writeJson(approved);
}

function show({ files, setup, skills }: ProjectCodeReport): void {
  const { bold } = coloursOf(process.stdout);
  for (const line of projectCodeLines(files, { bold })) writeLine(line);
  for (const line of setup ? setupLines(setup, { bold }) : []) writeLine(line);
  for (const line of skills ? skillLines(skills, { bold }) : []) writeLine(line);
}

async function agrees(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const { signal } = new AbortController();
  const typed = await readTypedLine({ ask: 'Approve these files as they are? [y/N] ', signal });
  return typed.kind === 'line' && /^y(es)?$/i.test(typed.text.trim());
}
