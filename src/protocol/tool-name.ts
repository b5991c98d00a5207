import * as z from 'zod';

/** The name of a tool that can stand in a list with commas: agents name their tools as they like. */
export const PlainToolName = z.string().regex(/^[\w.-]{1,200}$/);

export function isPlainToolName(name: string): boolean {
  return PlainToolName.safeParse(name).success;
}
