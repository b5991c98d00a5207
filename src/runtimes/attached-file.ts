const closingTag = /<\/attached_file/gi;

/** A file as text in a prompt; its content can neither end the wrapper nor break out of an attribute. */
export function attachedFile(file: { readonly path: string; readonly content: string }): string {
  const lines = file.content === '' ? 0 : file.content.split('\n').length;
  const content = file.content.replace(closingTag, (tag) => tag.replace('<', '&lt;'));
  return `<attached_file path="${escapeAttribute(file.path)}" lines="${lines}">\n${content}\n</attached_file>`;
}

function escapeAttribute(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;');
}
