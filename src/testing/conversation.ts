import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { first, only, textOf } from './event-list.js';
import { hangLimitMs } from './hang-limit.js';
import { drive, type RuntimeRig } from './rig.js';
import type { TestStage } from './test-stage.js';

/** Text, tools, interrupts, models: what happens without anybody being asked. */
export function conversationContract(rig: RuntimeRig): void {
  const { capabilities } = rig.runtime;
  let stage: TestStage;
  beforeAll(async () => {
    stage = await rig.open();
  }, hangLimitMs);
  afterAll(async () => await stage[Symbol.asyncDispose](), hangLimitMs);

  describe('a conversation', () => {
    it('gives the whole text of each turn, and one result', async () => {
      await using runner = drive(rig, stage);
      const text = 'One — “two”.\n\nThree 🙂\n\n- four\n';
      const turn = await runner.turn(`[[text ${JSON.stringify(text)}]]`);
      expect(textOf(turn)).toBe(text);
      expect(only(turn, 'result')).toMatchObject([{ success: true, origin: 'message' }]);
      const long = await runner.turn('[[deltas 3000 word]]');
      expect(textOf(long)).toBe('word'.repeat(3000));
      expect(only(long, 'result')).toHaveLength(1);
    });

    it.runIf(rig.tells === 'everything')(
      'tells of a tool once at its start and once at its end, and counts it',
      async () => {
        await using runner = drive(rig, stage);
        const turn = await runner.turn(
          `${rig.shell('echo heliotrope; echo x > made')} [[next]] [[text Ran.]]`,
        );
        const { id, tool, params } = first(turn, 'tool_start');
        expect([tool, params['command']]).toEqual(['Bash', 'echo heliotrope; echo x > made']);
        expect(only(turn, 'tool_end')).toMatchObject([
          {
            id,
            tool: 'Bash',
            success: true,
            summary: expect.stringContaining(rig.tellsOutput === false ? '' : 'heliotrope'),
          },
        ]);
        expect(first(turn, 'result').stats).toMatchObject({ toolCalls: 1, bashCommands: 1 });
        expect(first(turn, 'result').usage).toMatchObject({ inputTokens: expect.any(Number) });
        expect(readFileSync(join(stage.workspace, 'made'), 'utf8')).toBe('x\n');
        expect(stage.simulator.toolResults().at(-1)?.text).toContain('heliotrope');
      },
    );

    it('interrupts text and a command, whose processes end, and takes the next message', async () => {
      await using runner = drive(rig, stage);
      runner.message('[[slow 30]] [[deltas 2000 word ]]');
      await runner.next('text_delta');
      runner.send({ type: 'interrupt' });
      const inText = await runner.until('turn_complete');
      expect(only(inText, 'interrupted')).toHaveLength(1);
      expect(first(inText, 'result')).toMatchObject({ success: false, errorKind: 'interrupted' });

      const sleeper = 'node -e "setTimeout(() => {}, 3600000)"';
      runner.message(`${rig.shell(sleeper)} [[next]] [[text never]]`);
      if (rig.tells === 'everything') await runner.next('tool_start');
      await runner.runs('3600000');
      runner.send({ type: 'interrupt' });
      const inTool = await runner.until('turn_complete');
      const isTold = rig.tells === 'everything';
      expect(only(inTool, 'tool_end')).toMatchObject(isTold ? [{ success: false }] : []);
      await runner.isRidOf('3600000');
      expect(textOf(await runner.turn('[[text after]]'))).toBe('after');
    });

    it('keeps messages that come during a turn for turns of their own', async () => {
      await using runner = drive(rig, stage);
      runner.message('[[delay 300]] [[text one]]');
      runner.message('[[text two]]');
      expect(textOf(await runner.until('turn_complete'))).toBe('one');
      expect(textOf(await runner.until('turn_complete'))).toBe('two');
    });

    it.runIf(rig.tells === 'everything')(
      'says that the login is wrong, and that the server asks for patience',
      async () => {
        await using runner = drive(rig, stage, { env: { CLAUDE_CODE_MAX_RETRIES: '0' } });
        const refused = await runner.turn('[[error 401 message="invalid x-api-key" times=100]]');
        expect(only(refused, 'auth_error')).toHaveLength(1);
        expect(first(refused, 'result')).toMatchObject({ success: false, errorKind: 'auth' });
        const limited = await runner.turn('[[error 429 times=100]]');
        expect(first(limited, 'result')).toMatchObject({ success: false, errorKind: 'rate_limit' });
        expect(textOf(await runner.turn('[[text fine]]'))).toBe('fine');
      },
    );

    it.runIf(capabilities.commands.includes('set_model'))('changes the model', async () => {
      const [one, other] = rig.models ?? ['model-a', 'model-b'];
      await using runner = drive(rig, stage, { args: ['--model', one] });
      // Agents ask their model for other things besides, such as a title, and some of that comes late.
      const model = (said: string) =>
        stage.simulator
          .modelRequests()
          .findLast(({ conversation }) => JSON.stringify(conversation).includes(said))?.conversation?.model;
      await runner.turn('[[text first]]');
      expect(model('[[text first]]')).toContain(heard(one));
      runner.send({ type: 'set_model', model: other });
      expect(await runner.next('model_changed')).toMatchObject({ model: other });
      await runner.turn('[[text second]]');
      expect(model('[[text second]]')).toContain(heard(other));
    });

    it.runIf(capabilities.structuredOutput)('answers in the form of a schema', async () => {
      const schema = {
        type: 'object',
        properties: { answer: { type: 'number' } },
        required: ['answer'],
        additionalProperties: false,
      };
      const says =
        rig.runtime.name === 'claude' ? '[[tool StructuredOutput {"answer":42}]]' : '[[text {"answer":42}]]';
      await using runner = drive(rig, stage, { args: ['--structured-output', JSON.stringify(schema)] });
      expect(first(await runner.turn(says), 'result').structuredOutput).toEqual({ answer: 42 });
    });

    it.runIf('news' in rig)('keeps what a newer version says, whole', () => {
      const raw = { type: 'hologram', method: 'hologram/shown', params: { colour: 'blue' } };
      expect(rig.news?.(raw)).toMatchObject([{ type: 'unrecognized', raw: { params: { colour: 'blue' } } }]);
    });
  });
}

/** What the model's server is told of a model that an agent knows by its provider too. */
function heard(model: string): string {
  return model.split('/').at(-1) ?? model;
}
