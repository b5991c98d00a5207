/** A path as the project sees it, or null where it is not below the folder; only the words are looked at, never the disk. */
export function pathInside(folder: string, path: string): string | null {
  if (path === '' || path.includes('\0')) return null;
  const whole = path.startsWith('/') ? path : `${folder}/${path}`;
  const parts: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  const top = folder.split('/').filter((part) => part !== '');
  if (parts.length <= top.length || top.some((part, place) => parts[place] !== part)) return null;
  return parts.slice(top.length).join('/');
}

/** What paths of the same folder and kind have in common: `src/cart.js` and `src/basket.js` are both `src/*.js`. */
export function pathShape(path: string): string {
  const cut = path.lastIndexOf('/') + 1;
  const name = path.slice(cut);
  const dot = name.lastIndexOf('.');
  return `${path.slice(0, cut)}*${dot > 0 ? name.slice(dot) : ''}`;
}
