import { readdir, readFile, readlink } from 'node:fs/promises';

/** The TCP ports on which a process listens; only Linux tells. */
export async function listeningPorts(pid: number): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const [sockets, listening] = await Promise.all([socketsOf(pid), listeners()]);
  return listening.filter(({ inode }) => sockets.has(inode)).map(({ port }) => port);
}

async function socketsOf(pid: number): Promise<Set<string>> {
  const folder = `/proc/${pid}/fd`;
  const links = (await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => ''));
  const inodes = (await Promise.all(links)).map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? '');
  return new Set(inodes);
}

async function listeners(): Promise<{ port: number; inode: string }[]> {
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8')));
  return tables.flatMap((table) =>
    table
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => columns[3] === '0A')
      .map((columns) => ({
        port: Number.parseInt(columns[1]?.split(':')[1] ?? '', 16),
        inode: columns[9] ?? '',
      })),
  );
}
