// @module-tag full
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { Prompt } from '../../src/protocol/prompt.js';
import { eventually } from '../harness/wait-until.js';
import { openCliStage } from './cli-stage.js';

const secret = 'hunter2-correct-horse';
const question = { id: 'pw', header: 'Login', question: 'The password?', isSecret: true };
const options = [
  { label: 'None', description: 'There is none.' },
  { label: 'Ask later', description: 'Go on without it.' },
];
const asks = { tool: 'request_user_input', input: { questions: [{ ...question, options }] } };
const Started = z.looseObject({ id: z.string(), threadId: z.string() });

/** The files below a folder that hold the secret. */
function filesWithSecret(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(secret));
}

/** Looks at the command lines and environments of all processes until it is told to stop. */
function watchProcesses(): { readonly looks: () => number; stop(): Promise<string[]> } {
  const found = new Set<string>();
  let looks = 0;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
        for (const file of ['cmdline', 'environ'])
          if (Number(pid) !== process.pid && holdsSecret(`/proc/${pid}/${file}`)) found.add(`${pid}/${file}`);
      looks += 1;
      await sleep(5);
    }
  })();
  return {
    looks: () => looks,
    stop: async () => {
      over.abort();
      await watching;
      return [...found];
    },
  };
}

function holdsSecret(file: string): boolean {
  try {
    return readFileSync(file).includes(secret);
  } catch {
    return false;
  }
}

test.runIf(process.platform === 'linux')(
  'a secret that is typed reaches the agent, and stands in no file, log, event, page or command line',
  async () => {
    await using cli = await openCliStage('codex');
    const { simulator } = cli.stage;
    simulator.setScript({ replies: [{ blocks: [asks] }, { blocks: [{ text: 'I am in.' }] }] });
    const started = Started.parse(await cli.json('run', '--runtime', 'codex', '--detach', 'Log in.'));
    const prompt = Prompt.parse(
      await eventually(
        'Codex asks',
        async () => z.array(z.unknown()).parse(await cli.json('inbox')),
        (open) => open.length === 1,
      ).then(([first]) => first),
    );
    const watch = watchProcesses();
    const typing = cli.onTerminal(['answer', prompt.id]);
    await typing.saying('what you type is not shown');
    typing.type(`${secret}\n`);
    const typed = await typing.finished;
    expect([typed.code, `${typed.stdout}${typed.stderr}`.includes(secret)]).toEqual([0, false]);
    await cli.run('wait', started.id);
    expect(await watch.stop()).toEqual([]);
    expect(watch.looks()).toBeGreaterThan(5);
    // The agent has it.
    expect(simulator.toolResults().map(({ text }) => text)).toEqual([expect.stringContaining(secret)]);
    const printed = await Promise.all([
      cli.run('show', started.threadId),
      cli.run('logs', started.threadId, '--json'),
      cli.run('show', prompt.id, '--json'),
      cli.run('inbox', '--json'),
    ]);
    expect(printed.map(({ stdout, stderr }) => `${stdout}${stderr}`.includes(secret))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(printed[2]?.stdout).toContain('"answered"');
    expect(filesWithSecret(cli.home)).toEqual([]);
    expect(filesWithSecret(cli.stage.workspace)).toEqual([]);
    // All that is left in the whole home of the person is what Codex itself keeps of its session.
    const kept = filesWithSecret(cli.stage.home).map((file) => file.slice(cli.stage.home.length));
    expect(kept.filter((file) => !file.includes('codex'))).toEqual([]);
  },
);
