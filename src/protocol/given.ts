type Given<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
} & {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>;
};

/** The fields that have a value: an optional field is left out, never set to undefined. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only fields of undefined were taken out
  return Object.fromEntries(present) as Given<Fields>;
}
