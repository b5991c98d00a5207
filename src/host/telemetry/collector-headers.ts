// As RFC 9110 and Node.js have them.
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

// They are of the connection and the body, which are ours.
const ours = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The headers that a collector is sent, under names in small letters. What cannot be sent is said without its value, which may be a
 * secret; a name that is none may be a part of one.
 */
export function collectorHeaders(
  wanted: Readonly<Record<string, string>>,
  warn: (sentence: string) => void,
): Readonly<Record<string, string>> {
  const headers: [name: string, value: string][] = [];
  for (const [key, text] of Object.entries(wanted)) {
    const name = key.toLowerCase();
    // A value that was read from a file often ends with a newline.
    const value = text.trim();
    if (!headerName.test(name))
      warn('A header for traces is not sent: what stands before its = is not the name of a header.');
    else if (!headerValue.test(value))
      warn(`The header ${name} for traces is not sent: its value has characters that a header cannot hold.`);
    else if (ours.has(name))
      warn(`The header ${name} for traces is not taken over: the worker sets it itself.`);
    else headers.push([name, value]);
  }
  return Object.fromEntries(headers);
}
