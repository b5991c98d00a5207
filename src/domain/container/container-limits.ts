import type { Container } from '../../protocol/container.js';
import { mostProcesses } from './container-arguments.js';

/** The limits in force, as the kernel has them, and as the engine says; a limit of null or 0 is none. */
export interface LimitsInForce {
  /** Left out where this machine's kernel cannot be asked. */
  readonly kernel?:
    | {
        readonly memoryBytes: number | null | undefined;
        readonly cpus: number | null | undefined;
        readonly processes: number | null | undefined;
      }
    | undefined;
  readonly engine: { readonly memory: number; readonly nanoCpus: number; readonly pidsLimit: number };
}

/** A sentence for each limit that was asked for and is not kept; engines leave them out without an error. */
export function limitsNotKept({ memory, cpus }: Container, { kernel, engine }: LimitsInForce): string[] {
  const memoryNow = kernel?.memoryBytes === undefined ? engine.memory : (kernel.memoryBytes ?? 0);
  const cpusNow = kernel?.cpus === undefined ? engine.nanoCpus / 1e9 : (kernel.cpus ?? 0);
  const processesNow = kernel?.processes === undefined ? engine.pidsLimit : (kernel.processes ?? 0);
  return [
    ...(memory !== undefined && (memoryNow === 0 || memoryNow > bytesOf(memory) * 1.01)
      ? [
          `The memory limit of ${memory} is not in force: the container engine has left it out. This machine may not let it bound memory.`,
        ]
      : []),
    ...(cpus !== undefined && (cpusNow === 0 || cpusNow > cpus * 1.01)
      ? [`The limit of ${cpus} processors is not in force: the container engine has left it out.`]
      : []),
    ...(processesNow === 0 || processesNow > mostProcesses
      ? [
          `The limit of ${mostProcesses} processes is not in force: the container engine has left it out. A command that starts itself again and again can take the machine with it.`,
        ]
      : []),
  ];
}

function bytesOf(memory: string): number {
  return Number.parseInt(memory, 10) * (/g$/i.test(memory) ? 2 ** 30 : 2 ** 20);
}
