// Runs inside of the container, alone: it may import nothing but Node's own modules. It joins the agent to the runner, which is
// outside, and ends everything when the runner is gone.
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { createServer as createCalls, constants as http2 } from 'node:http2';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';

const link = '/run/handraise';
// The runner asks the engine first, which takes seconds on a busy machine; a runner that is gone ends everything at once.
const lastWordMs = 15_000;
// So that an answer that breaks off is not taken for a whole one.
const brokenOff = http2.NGHTTP2_INTERNAL_ERROR;
const [port = '', kind, file = '', ...args] = process.argv.slice(2);

const lifeline = connect(`${link}/lifeline`);
lifeline.on('error', () => {});
// An agent that has lost its runner must not go on: it would answer its own question.
lifeline.on('close', () => {
  try {
    process.kill(-1, 'SIGKILL');
  } catch {
    // There is nobody left.
  }
  process.exit(128 + constants.signals.SIGKILL);
});
let heard: () => void = () => {};
lifeline.on('data', () => heard());

const forwarder = createServer({ allowHalfOpen: true }, (near) => {
  const far = connect({ path: `${link}/proxy`, allowHalfOpen: true });
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
  near.pipe(far).pipe(near);
});
forwarder.on('error', (error) => {
  process.stderr.write(`handraise: port ${port} of the container cannot be used: ${error.message}\n`);
  process.exit(1);
});
forwarder.listen(Number(port), '127.0.0.1', kind === 'server' ? takeCalls : start);

/** Calls to the agent's own port come over one connection, which is there before the agent is. */
function takeCalls(): void {
  const calls = createCalls();
  calls.on('error', () => {});
  calls.on('sessionError', () => {});
  calls.on('request', (call, answer) => {
    const {
      ':authority': place = '',
      ':method': method,
      ':path': path,
      authorization,
      ...others
    } = call.headers;
    const type = others['content-type'];
    const far = request({
      host: '127.0.0.1',
      port: Number(place.replace(/^.*:/, '')),
      method,
      path,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(type === undefined ? {} : { 'content-type': type }),
      },
    });
    far.on('error', () => answer.stream.close(brokenOff));
    far.on('response', (response) => {
      response.on('error', () => answer.stream.close(brokenOff));
      answer.writeHead(response.statusCode ?? 502);
      response.pipe(answer);
    });
    answer.on('close', () => far.destroy());
    answer.on('error', () => far.destroy());
    call.pipe(far);
  });
  const line = connect(`${link}/calls`);
  line.on('error', () => process.exit(1));
  line.once('connect', () => {
    calls.emit('connection', line);
    start();
  });
}

function start(): void {
  const isTerminal = kind === 'terminal';
  const agent = spawn(file, args, { stdio: [isTerminal ? 'inherit' : 'pipe', 'inherit', 'inherit'] });
  agent.on('error', (error) => {
    process.stderr.write(`handraise: ${file} cannot be started in the container: ${error.message}\n`);
    process.exit(127);
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      // A terminal sends its keys to the agent, too.
      if (!isTerminal || signal !== 'SIGINT') agent.kill(signal);
    });
  const input = agent.stdin;
  if (input) {
    input.on('error', () => {});
    process.stdin.pipe(input, { end: false });
    // The input also ends when the engine's client is killed. Only the runner knows whether it was meant to end.
    process.stdin.once('end', () => ask('input', () => input.end()));
  }
  agent.on('exit', (code, signal) => {
    const status = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
    // The kernel's counts are gone with the container, so the runner reads them before.
    ask('exit', () => process.exit(status));
    setTimeout(() => process.exit(status), lastWordMs);
  });
}

function ask(what: string, then: () => void): void {
  heard = then;
  lifeline.write(`${what}\n`);
}
