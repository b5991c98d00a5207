import { register } from 'node:module';
import { packageRoot } from '../../process/files/package-root.js';

// In a data URL, because the runner is bundled and has no file of its own for it.
const hooks = `
let home;
export const initialize = (url) => { home = url; };
export const resolve = (name, context, next) =>
  next(name, /^handraise(\\/|$)/.test(name) ? { ...context, parentURL: home } : context);
`;

let isRegistered = false;

/**
 * From here on "handraise/..." is this Handraise for every module: npm links a package that it installs from a folder, so that
 * nothing above it has Handraise, and brings one that it fetches a second copy, perhaps of another version.
 */
export function lendOwnPackage(): void {
  if (isRegistered) return;
  isRegistered = true;
  const home = new URL('package.json', packageRoot).href;
  register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: home });
}
