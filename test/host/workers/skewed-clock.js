// Loaded before a program whose clock is to be wrong by SKEW_MS.
const skewMs = Number(process.env['SKEW_MS']);
const right = Date;
globalThis.Date = new Proxy(right, {
  construct: (target, parts) => Reflect.construct(target, parts.length === 0 ? [now()] : parts),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

function now() {
  return right.now() + skewMs;
}
