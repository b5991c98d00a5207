import * as z from 'zod';
import { requestObject } from './request-object.js';

/** An image that models can see. */
export const attachedImage = {
  type: z.literal('image'),
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: z.base64(),
  name: z.string().optional(),
};
const file = {
  type: z.literal('file'),
  path: z.string(),
  content: z.string(),
  name: z.string().optional(),
};

/** What a person adds to a message: an image as base64, or a file as text. */
export const Attachment = z.discriminatedUnion('type', [z.object(attachedImage), z.object(file)]);
export type Attachment = z.infer<typeof Attachment>;

/** An attachment as a request may have it. */
export const AttachmentRequest = z.discriminatedUnion('type', [
  requestObject(attachedImage),
  requestObject(file),
]);
