const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** A number of bytes as a person says it: 1.2 MB. */
export function byteWords(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
