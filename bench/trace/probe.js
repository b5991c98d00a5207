/* oxlint-disable typescript/unbound-method -- methods are taken from their prototypes, wrapped, and called with their own object */
// Loaded with --import into a worker, its store's thread and its runners. It notes when something enters or leaves one of them, at the
// edges that Node itself has (HTTP, sockets, messages between threads, the database driver, the disk), so that no room knows of it.
// Marks are kept in memory and written when it is quiet. All processes of a machine share the monotonic clock.
import childProcess from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import inspector from 'node:inspector';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import threads from 'node:worker_threads';

const own = new URL(import.meta.url).pathname;
const folder = process.env['HANDRAISE_BENCH_TRACE'] ?? folderOfArgument();
const isRunner = process.argv[1]?.endsWith('handraise-runner.js') ?? false;
const place = isRunner ? 'runner' : threads.isMainThread ? 'worker' : 'store';
const quietMs = 300;
const profiled = 'deltas 5000';
const { appendFileSync, readFileSync, writeFileSync } = fs;
/** @type {string[]} */
let marks = [];
/** @type {NodeJS.Timeout | undefined} */
let quiet;
/** @type {inspector.Session | null} */
let profile = null;

if (folder) {
  if (place === 'worker') probeWorker();
  if (place === 'store') probeStore();
  if (place === 'runner') probeRunner();
  probeSockets();
  syncBuiltinESMExports();
}

/** @param {string} what @param {object} [more] */
function mark(what, more = {}) {
  marks.push(JSON.stringify({ at: Number(process.hrtime.bigint()) / 1e6, place, what, ...more }));
  if (quiet) quiet.refresh();
  else quiet = setTimeout(settle, quietMs).unref();
}

function settle() {
  stopProfile();
  if (marks.length > 0)
    appendFileSync(join(folder, `${place}-${process.pid}.jsonl`), `${marks.join('\n')}\n`);
  marks = [];
}

/** A runner gets no variables of its worker's, so the folder stands in the address of this file. */
function folderOfArgument() {
  return new URL(import.meta.url).searchParams.get('folder') ?? '';
}

function probeWorker() {
  const { emit } = http.Server.prototype;
  http.Server.prototype.emit = function (/** @type {any} */ name, /** @type {any[]} */ ...args) {
    const [request, response] = args;
    if (name === 'request' && request.method === 'POST') {
      mark('request in', { detail: request.url });
      response.once('finish', () => mark('answer out', { detail: request.url }));
    }
    return Reflect.apply(emit, this, [name, ...args]);
  };
  const { postMessage } = threads.Worker.prototype;
  threads.Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ list) {
    if (Array.isArray(message)) mark('to store', { detail: message.map(requestName).join(', ') });
    postMessage.call(this, message, list);
  };
  const workerEmit = threads.Worker.prototype.emit;
  threads.Worker.prototype.emit = function (/** @type {any} */ name, /** @type {any[]} */ ...args) {
    if (name === 'message') mark('from store', { detail: repliesOf(args[0]) });
    return Reflect.apply(workerEmit, this, [name, ...args]);
  };
  const { spawn } = childProcess;
  // @ts-expect-error -- every form of it
  childProcess.spawn = (/** @type {string} */ file, /** @type {any} */ args, /** @type {any} */ options) => {
    const at = Array.isArray(args)
      ? args.findIndex((arg) => String(arg).endsWith('handraise-runner.js'))
      : -1;
    const probe = `--import=file://${own}?folder=${encodeURIComponent(folder)}`;
    return spawn(file, at === -1 ? args : [...args.slice(0, at), probe, ...args.slice(at)], options);
  };
}

function probeStore() {
  const { parentPort } = threads;
  if (!parentPort) return;
  const { on, postMessage } = parentPort;
  parentPort.on = (/** @type {any} */ name, /** @type {any} */ listener) =>
    on.call(parentPort, name, (/** @type {any} */ message) => {
      if (name === 'message') mark('received');
      listener(message);
    });
  parentPort.postMessage = (/** @type {any} */ message) => {
    mark('replied', { detail: repliesOf(message) });
    postMessage.call(parentPort, message);
  };
  const load = createRequire(import.meta.url);
  const Database = load('libsql');
  const { exec } = Database.prototype;
  let written = 0;
  Database.prototype.exec = function (/** @type {string} */ sql) {
    if (sql === 'begin immediate') written = bytesWritten();
    if (sql === 'begin immediate' || sql === 'commit') mark(sql === 'commit' ? 'commit' : 'begin');
    const result = exec.call(this, sql);
    // A page in the log is its 4,096 bytes and a header of 24.
    if (sql === 'commit') mark('committed', { pages: Math.round((bytesWritten() - written) / 4120) });
    return result;
  };
}

function probeRunner() {
  const { fdatasyncSync, fdatasync } = fs;
  fs.fdatasyncSync = (file) => {
    mark('sync');
    fdatasyncSync(file);
    mark('synced');
  };
  // @ts-expect-error -- without its promised form
  fs.fdatasync = (file, done) => {
    mark('sync');
    fdatasync(file, (error) => {
      mark('synced');
      done(error);
    });
  };
}

function probeSockets() {
  const { write } = Writable.prototype;
  net.Socket.prototype.write = function (/** @type {any} */ chunk, /** @type {any[]} */ ...rest) {
    noteSocket('out', this, chunk);
    // @ts-expect-error -- every form of it
    return write.call(this, chunk, ...rest);
  };
  const { push } = Readable.prototype;
  net.Socket.prototype.push = function (chunk, encoding) {
    if (chunk) noteSocket('in', this, chunk);
    return push.call(this, chunk, encoding);
  };
}

/** @param {'in' | 'out'} direction @param {net.Socket} socket @param {unknown} chunk */
function noteSocket(direction, socket, chunk) {
  const text = String(chunk);
  if (text.includes(profiled)) startProfile();
  const types = [...text.matchAll(/"type":"([a-z_]+)"/g)].map(([, type]) => type);
  const isHttp = socket.remoteFamily !== undefined;
  if (isHttp && place !== 'worker') return;
  if (isHttp && !text.includes('data:')) return;
  mark(`${isHttp ? 'stream' : 'socket'} ${direction}`, {
    detail: types.slice(0, 12).join(' '),
    bytes: text.length,
  });
}

function startProfile() {
  if (profile) return;
  profile = new inspector.Session();
  profile.connect();
  profile.post('Profiler.enable');
  profile.post('Profiler.setSamplingInterval', { interval: 500 });
  profile.post('Profiler.start');
}

function stopProfile() {
  const ended = profile;
  profile = null;
  ended?.post('Profiler.stop', (error, result) => {
    const name = `${place}-${process.pid}-${Date.now()}.cpuprofile`;
    if (!error) writeFileSync(join(folder, name), JSON.stringify(result.profile));
    ended.disconnect();
  });
}

/** @param {any} request */
function requestName({ kind, unit, query }) {
  if (kind === 'commit')
    return `commit[${unit.operations.map((/** @type {any} */ each) => each.do).join(' ')}]`;
  return kind === 'query' ? query.ask : kind;
}

/** @param {unknown} replies */
function repliesOf(replies) {
  return Array.isArray(replies) ? replies.map(({ kind }) => kind).join(', ') : 'opened';
}

/** By this thread, the disk's log included. */
function bytesWritten() {
  return Number(/wchar: (\d+)/.exec(readFileSync('/proc/thread-self/io', 'utf8'))?.[1] ?? 0);
}
