import { Attachment } from '../../protocol/attachment.js';

const image = Attachment.options[0];

/** A file of this machine as the API takes it: a picture as it is, everything else as text. */
export async function attachmentOf(file: File): Promise<Attachment> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const picture = image.shape.mediaType.safeParse(file.type).data;
  if (picture !== undefined) {
    return { type: 'image', mediaType: picture, data: base64(bytes), name: file.name };
  }
  return { type: 'file', path: file.name, name: file.name, content: textOf(bytes, file.name) };
}

function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error(`Cannot attach ${name}: it is neither UTF-8 text nor a PNG, JPEG, GIF or WebP image.`, {
      cause: error,
    });
  }
}

function base64(bytes: Uint8Array): string {
  const step = 0x8000;
  let text = '';
  // A call takes so many arguments and no more.
  for (let from = 0; from < bytes.length; from += step)
    text += String.fromCharCode(...bytes.subarray(from, from + step));
  return btoa(text);
}
