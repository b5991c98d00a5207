import * as z from 'zod';
import { Pipeline, PipelinePhase } from '../protocol/pipeline.js';

/** A run of a pipeline with what only the host needs to know about it. */
export const StoredPipeline = Pipeline.extend({
  source: z.string(),
  inputs: z.record(z.string(), z.string()),
  noInput: z.boolean(),
  /** Who called it off; what is under way is ended, then it ends. */
  cancelledBy: z.string().optional(),
  /** Raised with every change; whoever decided on an older one is refused. */
  revision: z.int().nonnegative(),
});
export type StoredPipeline = z.infer<typeof StoredPipeline>;

/** What became of one instance of a phase; what has not begun has none, and what is to be tried again waits. */
export const StoredPhase = PipelinePhase.omit({ phase: true, title: true, kind: true, needs: true }).extend({
  /** A person said that everything stops with it. */
  stops: z.literal(true).optional(),
});
export type StoredPhase = z.infer<typeof StoredPhase>;
