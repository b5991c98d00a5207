const units: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** No agent starts with less. */
export const leastMemoryBytes = 16 * 2 ** 20;

/** A size such as 512M or 2GiB in bytes; null where it is none. */
export function memoryBytes(text: string): number | null {
  const [, digits = '', unit = ''] =
    /^(\d{1,15}(?:\.\d{1,3})?)\s?(?:([kmgt])i?)?b?$/i.exec(text.trim()) ?? [];
  const bytes = Math.floor(Number(digits) * (units[unit.toLowerCase()] ?? Number.NaN));
  return digits !== '' && Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null;
}
