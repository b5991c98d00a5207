/** A path as it is seen from a folder, if it is inside of it; several paths are written with commas. */
export function relativeTo(folder: string, paths: string): string {
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  return paths
    .split(', ')
    .map((path) => (path.startsWith(start) && path !== start ? path.slice(start.length) : path))
    .join(', ');
}
