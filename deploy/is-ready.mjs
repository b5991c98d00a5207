// Exits with 0 if the worker of this machine says that it is well: `node is-ready.mjs /readyz` or `/healthz`. The worker listens on
// 127.0.0.1 alone, so a probe has to be asked inside of its container.
const path = process.argv[2] ?? '/readyz';
const port = process.env.HANDRAISE_PORT ?? '7411';
const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
  signal: AbortSignal.timeout(5000),
}).catch((error) => ({ ok: false, status: String(error.cause ?? error), text: async () => '' }));
if (!answer.ok) {
  console.error(`${path}: ${answer.status} ${await answer.text()}`);
  process.exitCode = 1;
}
