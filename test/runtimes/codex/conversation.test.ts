import { expect, it } from 'vitest';
import { stable } from '../../runner/stable.js';
import { driveCodex, openCodexStage, shell } from './codex-driver.js';

it('takes two turns with text, thoughts and tools', async () => {
  await using stage = await openCodexStage();
  await using runner = driveCodex(stage);
  const first = await runner.turn(
    `[[think Two.]] ${shell('echo one')} ${shell('exit 3')} [[next]] [[text "Both\\n\\nran."]]`,
  );
  const second = await runner.turn('[[text Again.]]');
  runner.send({ type: 'stop' });
  const { code, last } = await runner.end();
  console.log(JSON.stringify(stable([...first, ...second, ...last], stage.home), null, 1));
  expect(code).toBe(0);
});
