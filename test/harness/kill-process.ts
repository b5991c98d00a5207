/** Kills a process that a test looked for; pid 0 would be the tests themselves. */
export function killProcess(pid: number | undefined): void {
  if (pid === undefined || pid <= 1) throw new Error(`There is no process to kill: ${pid}.`);
  process.kill(pid, 'SIGKILL');
}
