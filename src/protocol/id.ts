import * as z from 'zod';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const timeLength = 10;
const randomLength = 16;

/** What an id is made from: the time orders it, the randomness keeps it apart. */
export interface IdSource {
  now(): number;
  randomBytes(length: number): Uint8Array;
}

/** Prefix of every kind of id; ids of different kinds do not type-check as each other. */
export const idPrefix = {
  thread: 'thr',
  dispatch: 'dsp',
  run: 'run',
  prompt: 'prm',
  event: 'evt',
  worker: 'wrk',
  command: 'cmd',
  request: 'req',
  schedule: 'sch',
  pipeline: 'pip',
  rule: 'rul',
} as const;

export type IdKind = keyof typeof idPrefix;

const idOf = <Kind extends IdKind>(kind: Kind) =>
  z
    .string()
    .regex(new RegExp(`^${idPrefix[kind]}_[0-9a-hjkmnp-tv-z]{${timeLength + randomLength}}$`))
    .brand<Kind>();

export const ThreadId = idOf('thread');
export type ThreadId = z.infer<typeof ThreadId>;
export const DispatchId = idOf('dispatch');
export type DispatchId = z.infer<typeof DispatchId>;
export const RunId = idOf('run');
export type RunId = z.infer<typeof RunId>;
export const PromptId = idOf('prompt');
export type PromptId = z.infer<typeof PromptId>;
export const EventId = idOf('event');
export type EventId = z.infer<typeof EventId>;
export const WorkerId = idOf('worker');
export type WorkerId = z.infer<typeof WorkerId>;
export const CommandId = idOf('command');
export type CommandId = z.infer<typeof CommandId>;
export const RequestId = idOf('request');
export type RequestId = z.infer<typeof RequestId>;
export const ScheduleId = idOf('schedule');
export type ScheduleId = z.infer<typeof ScheduleId>;
export const PipelineId = idOf('pipeline');
export type PipelineId = z.infer<typeof PipelineId>;
export const RuleId = idOf('rule');
export type RuleId = z.infer<typeof RuleId>;

interface IdOf {
  thread: ThreadId;
  dispatch: DispatchId;
  run: RunId;
  prompt: PromptId;
  event: EventId;
  worker: WorkerId;
  command: CommandId;
  request: RequestId;
  schedule: ScheduleId;
  pipeline: PipelineId;
  rule: RuleId;
}

/** A new id: `thr_` and 26 characters that sort by time of making. */
export function newId<Kind extends IdKind>(kind: Kind, source: IdSource): IdOf[Kind] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is where the brand is given
  return `${idPrefix[kind]}_${encodeTime(source.now())}${encodeRandom(source.randomBytes(randomLength))}` as IdOf[Kind];
}

function encodeTime(milliseconds: number): string {
  let rest = milliseconds;
  let text = '';
  for (let index = 0; index < timeLength; index += 1) {
    text = alphabet.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function encodeRandom(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => alphabet.charAt(byte % 32)).join('');
}
