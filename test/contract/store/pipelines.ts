import { describe, expect, test } from 'vitest';
import type { ThreadId } from '../../../src/protocol/id.js';
import type { StoredPhase, StoredPipeline } from '../../../src/store/stored-pipeline.js';
import { openedStore } from './opened-store.js';
import type { MakePlace } from './place.js';
import { aThread, at, done, id, refused } from './records.js';

export function newPipeline(threadId: ThreadId, given: Partial<StoredPipeline> = {}): StoredPipeline {
  return {
    id: id('pipeline'),
    name: 'idea',
    threadId,
    workspace: { path: '/workspace' },
    state: 'running',
    actor: 'user:owner',
    createdAt: at(0),
    source: 'phases: { a: { run: x } }',
    inputs: {},
    noInput: false,
    revision: 0,
    ...given,
  };
}

/** Work in phases: a step is one unit, and is decided about once. */
export function pipelinesContract(makePlace: MakePlace): void {
  describe('a pipeline', () => {
    const opened = openedStore(makePlace);

    test('is kept with its phases, and changed only by who has seen its last change', async () => {
      const { store } = opened;
      const { id: threadId } = await aThread(store);
      const pipeline = newPipeline(threadId);
      await done(store, [{ do: 'insertPipeline', pipeline }]);
      expect(await store.query('pipeline', { id: pipeline.id })).toEqual(pipeline);
      const phase: StoredPhase = {
        key: 'a',
        state: 'running',
        tries: [{ startedAt: at(1) }],
        startedAt: at(1),
      };
      const next = { ...pipeline, revision: 1 };
      const step = { do: 'replacePipeline', pipeline: next, phases: [phase], if: { revision: 0 } } as const;
      await done(store, [step]);
      expect(await refused(store, { operations: [step] })).toMatchObject({
        because: 'condition',
        current: { pipeline: { revision: 1 } },
      });
      const ended: StoredPhase = {
        ...phase,
        state: 'ended',
        result: 'success',
        exitCode: 0,
        outputs: { a: '\u0000 ü' },
      };
      await done(store, [
        { do: 'replacePipeline', pipeline: { ...next, revision: 2 }, phases: [ended], if: { revision: 1 } },
      ]);
      expect(await store.query('pipelinePhases', { id: pipeline.id })).toEqual([ended]);
    });

    test('is listed while it has not ended, and keeps its thread from being removed until then', async () => {
      const { store } = opened;
      const { id: threadId } = await aThread(store);
      const pipeline = newPipeline(threadId);
      await done(store, [{ do: 'insertPipeline', pipeline }]);
      const open = async () =>
        (await store.query('pipelines', { open: true, own: true })).rows.map((row) => row.id);
      expect(await open()).toContain(pipeline.id);
      expect((await store.query('pipelines', { idPrefix: pipeline.id.slice(0, 28) })).rows).toContainEqual(
        pipeline,
      );
      expect(await refused(store, { operations: [{ do: 'removeThread', threadId }] })).toMatchObject({
        because: 'condition',
      });
      expect(
        await refused(store, { operations: [{ do: 'archiveThread', threadId, at: at(1) }] }),
      ).toMatchObject({
        because: 'condition',
      });
      const ended: StoredPipeline = {
        ...pipeline,
        state: 'ended',
        result: 'success',
        exitCode: 0,
        revision: 1,
      };
      const phase: StoredPhase = { key: 'a', state: 'ended', tries: [], result: 'skipped', exitCode: 0 };
      await done(store, [{ do: 'replacePipeline', pipeline: ended, phases: [phase], if: { revision: 0 } }]);
      expect(await open()).not.toContain(pipeline.id);
      await done(store, [{ do: 'removeThread', threadId }]);
      expect(await store.query('pipeline', { id: pipeline.id })).toBeNull();
    });
  });
}
