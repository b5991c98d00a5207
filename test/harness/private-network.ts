import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { waitUntil } from './wait-until.js';

/** Why no networks can be made here; null where they can. */
export function missingForNetworks(): string | null {
  if (process.platform !== 'linux') return 'network namespaces are for Linux';
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  for (const program of ['ip', 'nsenter', 'unshare'])
    if (spawnSync(program, ['--version']).error) return `there is no ${program}`;
  // Into a namespace that is gone with the command, so that a refusal leaves nothing.
  const wire = ['type', 'veth', 'peer', 'name', 'wire2'];
  const tried = spawnSync('unshare', ['-n', 'ip', 'link', 'add', 'wire1', ...wire]);
  return tried.status === 0 ? null : 'this user or kernel makes no network namespaces';
}

/**
 * Machines on a network of their own. Namespaces and wires have no names outside: they are there for as long as a process is
 * in them, and the one that holds them ends with this process, also if it is killed. So nothing is left, and nothing can be in the way.
 */
export class PrivateNetwork implements AsyncDisposable {
  readonly #switch: Namespace;
  readonly #machines: Machine[] = [];

  private constructor(middle: Namespace) {
    this.#switch = middle;
  }

  static async open(): Promise<PrivateNetwork> {
    const middle = await Namespace.open();
    middle.ip('link', 'add', 'bridge', 'type', 'bridge');
    middle.ip('link', 'set', 'bridge', 'up');
    return new PrivateNetwork(middle);
  }

  /** Puts another machine on the network. */
  async join(): Promise<Machine> {
    const own = await Namespace.open();
    const number = this.#machines.length + 1;
    const wire = `wire${number}`;
    const middle = this.#switch;
    middle.ip('link', 'add', wire, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(own.pid));
    middle.ip('link', 'set', wire, 'master', 'bridge', 'up');
    const address = `10.77.0.${number}`;
    own.ip('address', 'add', `${address}/24`, 'dev', 'eth0');
    for (const device of ['eth0', 'lo']) own.ip('link', 'set', device, 'up');
    const machine = new Machine({ own, middle, wire, address, neighbours: this.#machines });
    this.#machines.push(machine);
    return machine;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const machine of this.#machines) await machine[Symbol.asyncDispose]();
    await this.#switch[Symbol.asyncDispose]();
  }
}

/** How a machine is cut off: nothing passes, or what it sends arrives and no answer comes back. */
export type Cut = 'both ways' | 'answers';

/** One machine of a private network; what is lost on its wire is lost in silence. */
export class Machine implements AsyncDisposable {
  readonly address: string;
  readonly #own: Namespace;
  readonly #middle: Namespace;
  readonly #wire: string;
  readonly #neighbours: readonly Machine[];
  #cut: Cut | null = null;

  constructor(parts: {
    readonly own: Namespace;
    readonly middle: Namespace;
    readonly wire: string;
    readonly address: string;
    readonly neighbours: readonly Machine[];
  }) {
    this.address = parts.address;
    this.#neighbours = parts.neighbours;
    this.#own = parts.own;
    this.#middle = parts.middle;
    this.#wire = parts.wire;
  }

  get isCut(): boolean {
    return this.#cut !== null;
  }

  /** What `nsenter` is told so that it runs a command on this machine, as the user of this number. */
  enter(uid = 0): readonly string[] {
    return ['-t', String(this.#own.pid), '-n', ...(uid === 0 ? [] : ['-S', `${uid}`, '-G', `${uid}`])];
  }

  cut(how: Cut = 'both ways'): void {
    this.heal();
    this.#cut = how;
    if (how === 'both ways') this.#middle.ip('link', 'set', this.#wire, 'down');
    else this.#ofNeighbours('add');
  }

  heal(): void {
    if (this.#cut === 'both ways') this.#middle.ip('link', 'set', this.#wire, 'up');
    if (this.#cut === 'answers') this.#ofNeighbours('del');
    this.#cut = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#own[Symbol.asyncDispose]();
  }

  /** What others send here is lost where they send it. */
  #ofNeighbours(what: 'add' | 'del'): void {
    for (const neighbour of this.#neighbours)
      if (neighbour !== this) neighbour.#own.ip('route', what, 'blackhole', `${this.address}/32`);
  }
}

/** A network namespace without a name, held by a process that ends when its input does. */
class Namespace implements AsyncDisposable {
  readonly #holder: ChildProcess;

  private constructor(holder: ChildProcess) {
    this.#holder = holder;
  }

  static async open(): Promise<Namespace> {
    const holder = spawn('unshare', ['-n', 'sh', '-c', 'echo there; exec cat'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let said = '';
    holder.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await waitUntil('a network namespace is there', () => {
      if (holder.exitCode !== null) throw new Error('A network namespace could not be made.');
      return said !== '';
    });
    return new Namespace(holder);
  }

  get pid(): number {
    return this.#holder.pid ?? 0;
  }

  ip(...args: string[]): void {
    this.run('ip', ...args);
  }

  run(program: string, ...args: string[]): void {
    execFileSync('nsenter', ['-t', String(this.pid), '-n', program, ...args]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#holder.exitCode !== null) return;
    const gone = once(this.#holder, 'exit');
    this.#holder.stdin?.end();
    await gone;
  }
}
