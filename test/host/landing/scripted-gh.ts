import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * An executable `gh` that takes the arguments and prints the JSON that gh's manual documents for `auth status`,
 * `repo view`, `pr list`, `pr create`, `pr view` and `api`. It keeps pull requests in a file and notes how it was called.
 */
export class ScriptedGh {
  readonly folder: string;

  constructor(home: string) {
    this.folder = join(home, 'gh-program');
    mkdirSync(this.folder);
    writeFileSync(join(this.folder, 'gh'), program);
    chmodSync(join(this.folder, 'gh'), 0o755);
    this.set({});
  }

  /** Signed out, a fork of another repository, or in a way that refuses pull requests. */
  set(state: { isSignedOut?: boolean; parent?: string; refuses?: string }): void {
    writeFileSync(join(this.folder, 'state.json'), JSON.stringify(state));
  }

  /** What the next looks at a pull request find: fields of `pr view --json`, and comments on lines as the API lists them. */
  say(view: object, lines: readonly object[] = []): void {
    // In one step, because a look may be under way.
    const part = join(this.folder, 'said.part');
    writeFileSync(part, JSON.stringify({ view: { state: 'OPEN', headRefOid: 'a1', ...view }, lines }));
    renameSync(part, join(this.folder, 'said.json'));
  }

  /** How often somebody looked at a pull request. */
  get looks(): number {
    return this.calls.filter(({ args }) => args[1] === 'view' && args[0] === 'pr').length;
  }

  get requests(): Record<string, unknown>[] {
    return this.#read('requests.json', []);
  }

  get calls(): { args: string[]; cwd: string }[] {
    return this.#read('calls.json', []);
  }

  #read<Value>(name: string, otherwise: Value): Value {
    const file = join(this.folder, name);
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : otherwise;
  }
}

const program = `#!${process.execPath}
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const read = (name, otherwise) => existsSync(join(__dirname, name)) ? JSON.parse(readFileSync(join(__dirname, name), 'utf8')) : otherwise;
const write = (name, value) => {
  const part = join(__dirname, name + '.' + process.pid);
  writeFileSync(part, JSON.stringify(value));
  renameSync(part, join(__dirname, name));
};
const args = process.argv.slice(2);
write('calls.json', [...read('calls.json', []), { args, cwd: process.cwd() }]);
const state = read('state.json', {});
const option = (name) => args[args.indexOf(name) + 1];
const end = (code, text) => { (code === 0 ? process.stdout : process.stderr).write(text); process.exitCode = code; };
const requests = read('requests.json', []);
switch (args.slice(0, 2).join(' ')) {
  case 'auth status':
    end(state.isSignedOut ? 1 : 0, 'You are not logged into any GitHub hosts.\\n');
    break;
  case 'repo view': {
    const [owner, name] = (state.parent ?? '').split('/');
    end(0, JSON.stringify({ isFork: state.parent !== undefined, parent: state.parent ? { id: 'x', name, owner: { id: 'y', login: owner } } : null }));
    break;
  }
  case 'pr list': {
    const found = requests.filter((each) => each.repo === option('--repo') && each.headRefName === option('--head'));
    end(0, JSON.stringify(found.map(({ url, baseRefName, headRepositoryOwner }) => ({ url, baseRefName, headRepositoryOwner }))));
    break;
  }
  case 'pr create': {
    if (state.refuses) { end(1, state.refuses + '\\n'); break; }
    const [first, second] = option('--head').split(':');
    const [host, owner, name] = option('--repo').split('/');
    const url = 'https://' + host + '/' + owner + '/' + name + '/pull/' + (requests.length + 1);
    write('requests.json', [...requests, {
      url, repo: option('--repo'), baseRefName: option('--base'), headRefName: second ?? first,
      headRepositoryOwner: { login: second ? first : owner }, title: option('--title'),
      body: readFileSync(0, 'utf8'), isDraft: args.includes('--draft'),
    }]);
    end(0, '\\nCreating pull request\\n' + url + '\\n');
    break;
  }
  case 'pr view':
    if (state.refuses) { end(1, state.refuses + '\\n'); break; }
    end(0, JSON.stringify(read('said.json', { view: { state: 'OPEN', headRefOid: 'a1' } }).view));
    break;
  case 'api --method':
    end(0, JSON.stringify(read('said.json', { lines: [] }).lines));
    break;
  default:
    end(1, 'unknown command\\n');
}
`;
