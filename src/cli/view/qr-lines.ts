import { qrModules } from '../../live/qr-code.js';

// Two rows of modules are one line of text. What is light is drawn, because most terminals are dark.
const halves = { 'true,true': ' ', 'true,false': '▄', 'false,true': '▀', 'false,false': '█' } as const;

/** A text as a QR code for a terminal. With colours it is black on white, whatever the terminal's own are. */
export function qrLines(text: string, { isColoured }: { readonly isColoured: boolean }): string[] {
  const modules = qrModules(text);
  const lines: string[] = [];
  for (let row = 0; row < modules.length; row += 2) {
    const upper = modules[row] ?? [];
    const lower = modules[row + 1] ?? [];
    const line = upper.map((dark, column) => halves[`${dark},${lower[column] ?? false}`]).join('');
    lines.push(isColoured ? `\u001b[97;40m${line}\u001b[0m` : line);
  }
  return lines;
}
