// @module-tag full
// Agents that remember nothing once their process has ended: what people have answered must reach their next one.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { markedProcesses } from '../../harness/process-guard.js';
import { openStage } from '../../harness/stage.js';
import { HostStage, openHostStage, owner } from '../host-stage.js';

const scripted = new URL('../../fixtures/acp/scripted-agent.js', import.meta.url).pathname;

test('an agent over ACP that dies while it asks its second question is told the answer to its first one too', async () => {
  const command = `'${process.execPath}' '${scripted}'`;
  const acpAgents = { mine: { command, loadsProjectCode: true } };
  const usual = { slots: 4, retries: 2, idleTimeoutMinutes: 15, keepSpare: false };
  const at = new HostStage(await openStage('claude'), { ...usual, acpAgents });
  onTestFinished(async () => await at.close());
  await at.open();
  const dispatch = await at.work('FORM ZONE HEARD', { runtime: 'acp:mine' });
  const region = await at.asked(dispatch.threadId);
  await at.host.prompts.answer(region.id, { text: 'eu' }, owner);
  const zone = await at.asked(dispatch.threadId, [region]);
  await at.prompt(region, ({ consumedAt }) => consumedAt !== undefined);
  for (const { pid, command: line } of await markedProcesses(at.stage.mark))
    if (line.includes(scripted) && !line.includes('handraise-runner')) process.kill(pid, 'SIGKILL');
  await at.host.prompts.answer(zone.id, { text: 'b' }, owner);

  expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded' });
  const messages = await at.events(dispatch.threadId, 'user_message');
  const told = messages.map(({ text }) =>
    ['FORM ZONE', 'Answer: eu'].filter((words) => String(text).includes(words)),
  );
  expect(told.slice(0, 2)).toEqual([['FORM ZONE'], ['FORM ZONE', 'Answer: eu']]);
  const { rows } = await at.host.prompts.list({ threadId: dispatch.threadId });
  expect(rows.map(({ id }) => id).toSorted()).toEqual([region.id, zone.id].toSorted());
});

test('a command that fails once it was answered is given the answer again, and what its check found', async () => {
  const at = await openHostStage({ retries: 2 });
  const path = at.folder();
  const command = join(path, 'agent.sh');
  const lives = [
    '#!/bin/sh',
    'n=$(cat lives 2>/dev/null || echo 0); n=$((n+1)); echo $n > lives',
    'cat > life-$n; mkdir -p .agora',
    'case $n in',
    '  1) echo \'{"question":"Which port?","partial_state":{"step":7}}\' > .agora/needs_input.json ;;',
    '  2) echo "Working."; exit 3 ;;',
    '  3) echo "Unchecked." ;;',
    '  *) touch good; echo "Done." ;;',
    'esac',
  ];
  writeFileSync(command, lives.join('\n'), { mode: 0o755 });
  const dispatch = await at.work('The work.', {
    workspace: { path },
    runtime: 'exec',
    verify: 'test -e good || { echo NOT GOOD; exit 1; }',
    posture: { command, env: { AGORA_DISABLE_NEEDS_INPUT_HELPER: 'true' } },
  });
  const prompt = await at.asked(dispatch.threadId);
  await at.host.prompts.answer(prompt.id, { text: '8080' }, owner);

  expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'Done.' });
  const heard = [1, 2, 3, 4].map((number) => readFileSync(join(path, `life-${number}`), 'utf8'));
  for (const words of ['The work.', '8080', '"step": 7'])
    expect([words, ...heard.map((text) => text.includes(words))]).toEqual([
      words,
      words === 'The work.',
      true,
      true,
      true,
    ]);
  expect(heard.map((text) => text.includes('NOT GOOD'))).toEqual([false, false, false, true]);
});
