import newQrCode from 'qrcode-generator';

// The white around it that scanners need.
const quietModules = 4;

/** A text as a QR code with its margin, row by row; true is dark. */
export function qrModules(text: string): boolean[][] {
  const code = newQrCode(0, 'M');
  code.addData(text, 'Byte');
  code.make();
  const size = code.getModuleCount() + 2 * quietModules;
  const isDark = (row: number, column: number) =>
    [row, column].every((place) => place >= quietModules && place < size - quietModules) &&
    code.isDark(row - quietModules, column - quietModules);
  return Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (__, column) => isDark(row, column)),
  );
}
