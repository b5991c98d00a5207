/** A value for a column that holds JSON or nothing. */
export function toJson(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/** What a JSON column holds, still to be validated. */
export function fromJson(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}

/** The fields that have a value; a column's null is an absent field of a record. */
export function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}
