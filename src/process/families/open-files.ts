import { readdirSync, readlinkSync } from 'node:fs';
import type { ProcessRow } from './process-source.js';
import { readProcesses } from './process-table.js';

const mostFiles = 1000;

/** The files that living processes of this name have open, where the system tells (Linux). */
export function openFilesOf(name: string): { readonly process: ProcessRow; readonly files: string[] }[] {
  return readProcesses()
    .filter((row) => row.name === name)
    .map((row) => ({ process: row, files: openFiles(row.pid) }));
}

function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return namesIn(folder)
    .slice(0, mostFiles)
    .flatMap((name) => {
      try {
        return [readlinkSync(`${folder}/${name}`)];
      } catch {
        // It was closed meanwhile.
        return [];
      }
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
