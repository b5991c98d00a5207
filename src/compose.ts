// The only file, with the runner's entry, that names implementations; each is loaded when it is first used.

/** The scripted model server. */
export function loadSimulator() {
  return import('./simulator/index.js');
}
