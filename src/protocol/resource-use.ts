import * as z from 'zod';

/** What the processes of an agent used while something lasted. */
export const ResourceUse = z.object({
  cpuMs: z.int().nonnegative().describe('Processor time of all of them together.'),
  aliveMs: z.int().nonnegative().describe('How long it lasted.'),
  memoryByteSeconds: z.number().nonnegative().describe('Memory, times the seconds for which it was held.'),
  peakMemoryBytes: z.int().nonnegative(),
});
export type ResourceUse = z.infer<typeof ResourceUse>;

/** What was used since the last event that said so; the time in which the agent waited for a person is apart. */
export const ResourcesUsed = z.object({
  own: ResourceUse.optional(),
  asking: ResourceUse.optional(),
});
export type ResourcesUsed = z.infer<typeof ResourcesUsed>;

/** What processes used, summed. */
export const ResourceReport = z.object({
  cpuSeconds: z.number().nonnegative().describe('Processor time.'),
  aliveSeconds: z.number().nonnegative().describe('How long agents were there.'),
  meanMemoryBytes: z.number().nonnegative().describe('Per agent, over the time for which it was there.'),
  peakMemoryBytes: z.int().nonnegative().describe('The most that one agent had at a time.'),
});
export type ResourceReport = z.infer<typeof ResourceReport>;
