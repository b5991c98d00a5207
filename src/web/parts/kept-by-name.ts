import * as z from 'zod';

/** What of a browser's storage is used; decisions about it are tested without a browser. */
interface Reading {
  getItem(key: string): string | null;
}
interface Writing extends Reading {
  setItem(key: string, text: string): void;
}

const mostKept = 100;
const longestName = 60;

/** Named things that a person keeps in this browser, one list for each kind. */
export class KeptByName<Kept extends { readonly name: string }> {
  readonly #key: string;
  readonly #schema: z.ZodType<Kept>;

  constructor(key: string, schema: z.ZodType<Kept>) {
    this.#key = key;
    this.#schema = schema;
  }

  /** What is kept, by name; what another version of the console wrote is left out, and not the rest with it. */
  all(storage: Reading): readonly Kept[] {
    try {
      const all = z.array(z.unknown()).parse(JSON.parse(storage.getItem(this.#key) ?? '[]'));
      return all.flatMap((each) => this.#schema.safeParse(each).data ?? []);
    } catch {
      return [];
    }
  }

  /** Keeps it, in place of what had the name; false when that is no name, there are too many, or the browser keeps nothing. */
  keep(storage: Writing, kept: Kept): boolean {
    const isName = kept.name !== '' && kept.name.length <= longestName;
    const others = this.all(storage).filter(({ name }) => name !== kept.name);
    if (!isName || others.length >= mostKept) return false;
    return this.#write(
      storage,
      [...others, kept].toSorted((a, b) => a.name.localeCompare(b.name)),
    );
  }

  forget(storage: Writing, name: string): boolean {
    return this.#write(
      storage,
      this.all(storage).filter((each) => each.name !== name),
    );
  }

  #write(storage: Writing, all: readonly Kept[]): boolean {
    try {
      storage.setItem(this.#key, JSON.stringify(all));
      return true;
    } catch {
      return false;
    }
  }
}
