import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import { Failure } from '../../protocol/failure.js';

const MAX_BYTES = 8 * 1024 * 1024;

const Approval = z.strictObject({
  /** What the project is known by. */
  place: z.string(),
  digest: z.string(),
  actor: z.string(),
  approvedAt: z.iso.datetime(),
});
type Approval = z.infer<typeof Approval>;

const File = z.strictObject({ version: z.literal(1), approvals: z.array(Approval) });

/** The approvals of this machine, in a file of the user's own. */
export class TrustedProjects {
  readonly #file: string;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  has(wanted: Pick<Approval, 'place' | 'digest'>): boolean {
    return this.#read().some(({ place, digest }) => place === wanted.place && digest === wanted.digest);
  }

  /** Adds an approval durably; one after the other, because each writes the whole file. */
  async add(approval: Approval): Promise<void> {
    const written = this.#writing.then(() => this.#write(approval));
    this.#writing = written.catch(() => {});
    await written;
  }

  async #write(approval: Approval): Promise<void> {
    if (this.has(approval)) return;
    const text = JSON.stringify({ version: 1, approvals: [...this.#read(), approval] }, null, 2);
    const part = `${this.#file}.part`;
    {
      await using handle = await open(part, 'w', 0o600);
      // The mode of open() counts only where the file is new.
      await handle.chmod(0o600);
      await handle.writeFile(`${text}\n`);
      await handle.sync();
    }
    await rename(part, this.#file);
    await using folder = await open(dirname(this.#file), 'r');
    await folder.sync();
  }

  #read(): readonly Approval[] {
    const read = readBoundedFile(this.#file, { limit: MAX_BYTES, followLink: false });
    if (!read.ok && read.missing) return [];
    const parsed = read.ok ? File.safeParse(jsonOf(read.text)) : undefined;
    if (parsed?.success) return parsed.data.approvals;
    throw new Failure(
      'config',
      `${this.#file} cannot be read, so no project counts as approved. Repair or remove it.`,
    );
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
