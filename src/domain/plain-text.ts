/* oxlint-disable no-control-regex -- control characters are what this file is about */

// Terminated strings (OSC, DCS, SOS, PM, APC) with their content, CSI with its parameters, and two-character escapes.
// An unterminated string only loses its first character, so that it cannot hide the text behind it.
const sequence =
  /(?:\u001B[\]PX^_]|[\u009D\u0090\u0098\u009E\u009F])[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)|(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[ -/]*[0-Z\\^-~]/g;
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;
// These reorder what is shown, so that an action could read as another one.
const reordering = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Text of an agent without what a terminal would obey: an agent may have read it anywhere. */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(sequence, '').replace(controls, '').replace(reordering, '');
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}
