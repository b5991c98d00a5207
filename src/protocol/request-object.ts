import * as z from 'zod';

/** An object that somebody sends us: a field that it does not know is refused with the names of those that it knows. */
export function requestObject<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const allowed = `There is no such field here. Allowed: ${Object.keys(shape).join(', ')}.`;
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? allowed : undefined),
  });
}
