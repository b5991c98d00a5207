import * as z from 'zod';

/** What a person adds to a message: an image as base64, or a file as text. */
export const Attachment = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('image'),
    mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.base64(),
    name: z.string().optional(),
  }),
  z.object({ type: z.literal('file'), path: z.string(), content: z.string(), name: z.string().optional() }),
]);
export type Attachment = z.infer<typeof Attachment>;
