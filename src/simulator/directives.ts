import * as z from 'zod';
import { type Directive, DirectiveError, type DirectiveName, DirectiveReader } from './directive-reader.js';
import { type Fault, Reply, type ReplyBlock } from './reply.js';

export { DirectiveError };

/** The replies that a prompt scripts for itself, or nothing when it holds no directive. */
export function repliesIn(prompt: string): Reply[] | undefined {
  const directives = new DirectiveReader(prompt).readAll();
  if (directives.length === 0) return undefined;
  return splitAtNext(directives).map(toReply);
}

function splitAtNext(directives: Directive[]): Directive[][] {
  const replies: Directive[][] = [[]];
  for (const directive of directives) {
    if (directive.name === 'next') replies.push([]);
    else replies.at(-1)?.push(directive);
  }
  return replies;
}

/** A reply as far as it is read; checked as a whole at the end. */
type Draft = Omit<z.input<typeof Reply>, 'stopReason'> & {
  blocks: z.input<typeof ReplyBlock>[];
  stopReason?: string;
};

function toReply(directives: Directive[]): Reply {
  const draft: Draft = { blocks: [] };
  for (const directive of directives) meanings[directive.name](draft, directive);
  const reply = Reply.safeParse(draft);
  if (reply.success) return reply.data;
  throw new DirectiveError(z.prettifyError(reply.error));
}

const meanings: Record<DirectiveName, (draft: Draft, directive: Directive) => void> = {
  text: (draft, { argument }) => void draft.blocks.push({ text: argument }),
  think: (draft, { argument }) => void draft.blocks.push({ think: argument }),
  tool: (draft, { argument, input }) => void draft.blocks.push({ tool: argument, input }),
  ask: (draft, { argument }) => {
    const [ask = '', ...options] = argument.split('|').map((part) => part.trim());
    draft.blocks.push(options.length > 0 ? { ask, options } : { ask });
  },
  deltas: (draft, { argument }) => {
    const [, repeat, text] = /^(\d+)\s*([^]*)$/.exec(argument) ?? [];
    draft.blocks.push({ text: text || 'x', repeat: Number(repeat) });
  },
  huge: (draft, { argument }) => {
    const size = bytes(argument);
    draft.blocks.push({ text: 'x', repeat: size, chunk: size });
  },
  delay: (draft, { argument }) => void (draft.delayMs = Number(argument)),
  slow: (draft, { argument }) => void (draft.chunkDelayMs = Number(argument || 50)),
  stop: (draft, { argument }) => void (draft.stopReason = argument),
  usage: (draft, { settings }) => {
    draft.usage = {
      ...(settings.input && { inputTokens: Number(settings.input) }),
      ...(settings.output && { outputTokens: Number(settings.output) }),
      ...(settings['cache-read'] && { cacheReadTokens: Number(settings['cache-read']) }),
      ...(settings['cache-write'] && { cacheWriteTokens: Number(settings['cache-write']) }),
    };
  },
  error: (draft, { argument, settings }) => {
    draft.fault = {
      kind: 'error',
      status: Number(argument),
      ...(settings['retry-after'] && { retryAfterSeconds: Number(settings['retry-after']) }),
      ...(settings['resets-in'] && { resetsInSeconds: Number(settings['resets-in']) }),
      ...(settings.type && { type: settings.type }),
      ...(settings.message && { message: settings.message }),
      ...timesOf(settings),
    };
  },
  hang: (draft, directive) => void (draft.fault = streamFault('hang', directive)),
  cut: (draft, directive) => void (draft.fault = streamFault('cut', directive)),
  malformed: (draft, directive) => void (draft.fault = streamFault('malformed', directive)),
  next: () => undefined,
};

function streamFault(kind: 'hang' | 'cut' | 'malformed', { argument, settings }: Directive): Fault {
  return { kind, afterEvents: Number(argument || 0), ...timesOf(settings) };
}

function timesOf(settings: Directive['settings']): { times?: number } {
  return settings.times ? { times: Number(settings.times) } : {};
}

const units = { b: 1, kb: 1024, mb: 1024 ** 2 };

function bytes(size: string): number {
  const [, number, unit = 'b'] = /^(\d+)\s*(b|kb|mb)?$/i.exec(size) ?? [];
  const factor = Object.entries(units).find(([name]) => name === unit.toLowerCase())?.[1];
  if (!number || !factor) throw new DirectiveError(`"${size}" is not a size; write it as 500kb or 2mb`);
  return Number(number) * factor;
}
